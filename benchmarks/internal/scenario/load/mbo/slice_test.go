package mbo

import "testing"

func TestBusiest(t *testing.T) {
	var events []Event
	for _, at := range []int64{0, 0, 0, 0, 10, 20, 21, 22, 40, 41} {
		events = append(events, Event{Received: at})
	}
	if from, to := Busiest(events, 5); from != 5 || to != 8 {
		t.Errorf("%d..%d, want 5..8", from, to)
	}
	if from, to := Busiest(events[:3], 5); from != 0 || to != 0 {
		t.Errorf("%d..%d of a snapshot alone, want nothing", from, to)
	}
}

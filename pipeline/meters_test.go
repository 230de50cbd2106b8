package pipeline

import (
	"testing"
	"time"
)

func TestMetersDone(t *testing.T) {
	m := new(meters)
	taken := time.Now()
	m.done(taken, taken.Add(5), 20, 10)
	for name, test := range map[string]struct {
		recorder *recorder
		want     time.Duration
	}{
		"wait": {&m.wait, 20}, "service": {&m.service, 5}, "age": {&m.age, 15}, "oldest": {&m.oldest, 25},
	} {
		if h := test.recorder.snapshot(); h.Count != 1 || h.Sum != test.want {
			t.Errorf("%s: %d measured, sum %d, want 1 and %d", name, h.Count, h.Sum, test.want)
		}
	}
	if m.admit.snapshot().Count != 0 {
		t.Error("done measured an admission")
	}
}

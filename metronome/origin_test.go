package metronome

import (
	"testing"
	"time"
)

func TestOrigin(t *testing.T) {
	tests := []struct {
		o         Options
		now, want time.Time
	}{
		{Options{Interval: time.Second}, time.Unix(5, 3), time.Unix(5, 3)},
		{Options{Interval: time.Second, Align: true}, time.Unix(5, 3), time.Unix(5, 0)},
		{Options{Interval: time.Second, Align: true}, time.Unix(5, 0), time.Unix(5, 0)},
		{Options{Interval: 7 * time.Second, Align: true}, time.Unix(20, 1), time.Unix(14, 0)},
		{Options{Interval: 10 * time.Second, Align: true}, time.Unix(-3, 0), time.Unix(-10, 0)},
		{Options{Interval: 1<<63 - 1, Align: true}, time.Unix(20, 1), time.Unix(0, 0)},
	}
	for _, tt := range tests {
		if got := tt.o.origin(tt.now); !got.Equal(tt.want) {
			t.Errorf("%+v: origin(%v) = %v, want %v", tt.o, tt.now, got, tt.want)
		}
	}
}

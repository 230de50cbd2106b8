package bench

import "testing"

func TestBarHolds(t *testing.T) {
	for _, tt := range []struct {
		bar    Bar
		figure float64
		want   bool
	}{
		{Bar{AtMost: 1.1}, 1.1, true},
		{Bar{AtMost: 1.1}, 1.11, false},
		{Bar{AtLeast: 3}, 3, true},
		{Bar{AtLeast: 3}, 2.9, false},
		{Bar{}, 0, true},
		{Bar{}, 0.001, false},
	} {
		if got := tt.bar.Holds(tt.figure); got != tt.want {
			t.Errorf("%s %v holds for %v: got %v, want %v", tt.bar.Sign(), tt.bar.Limit(), tt.figure, got, tt.want)
		}
	}
}

func TestBarLoosen(t *testing.T) {
	for _, tt := range []struct{ bar, want Bar }{
		{Bar{AtMost: 2}, Bar{AtMost: 3}},
		{Bar{AtLeast: 3}, Bar{AtLeast: 2}},
		{Bar{}, Bar{}},
	} {
		if got := tt.bar.Loosen(1.5); got != tt.want {
			t.Errorf("%+v: got %+v, want %+v", tt.bar, got, tt.want)
		}
	}
}

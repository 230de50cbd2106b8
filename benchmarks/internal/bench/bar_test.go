package bench

import (
	"slices"
	"testing"
)

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
		{Bar{AtMost: 2, Goal: true}, Bar{AtMost: 2, Goal: true}},
	} {
		if got := tt.bar.Loosen(1.5); got != tt.want {
			t.Errorf("%+v: got %+v, want %+v", tt.bar, got, tt.want)
		}
	}
}

func TestBarAsGoal(t *testing.T) {
	for _, tt := range []struct {
		bar   Bar
		guard float64
		want  []Bar
	}{
		{Bar{Metric: "put", AtMost: 1.1, Source: "plan"}, 1.5,
			[]Bar{{Metric: "put", AtMost: 1.1, Goal: true, Source: "plan"}, {Metric: "put", AtMost: 1.5, Source: GuardSource}}},
		{Bar{Metric: "put", AtLeast: 3, Source: "plan"}, 1.4,
			[]Bar{{Metric: "put", AtLeast: 3, Goal: true, Source: "plan"}, {Metric: "put", AtLeast: 1.4, Source: GuardSource}}},
	} {
		if got := tt.bar.AsGoal(tt.guard); !slices.Equal(got, tt.want) {
			t.Errorf("got %+v, want %+v", got, tt.want)
		}
	}
}

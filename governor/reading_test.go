package governor

import "testing"

func TestStateOf(t *testing.T) {
	tests := []struct {
		long, short, tolerance float64
		want                   State
	}{
		{100, 100, 1, Steady},
		{90, 100, 1, Steady},
		{89, 100, 1, ToLoad},
		{89, 100, 1.5, Steady},
		{60, 100, 1.5, Steady},
		{59, 100, 1.5, ToLoad},
		{100, 90, 1, Steady},
		{100, 89, 1, ToSteady},
		{100, 89, 1.5, ToSteady},
		{0, 100, 1, ToLoad},
	}
	for _, test := range tests {
		if got := stateOf(test.long, test.short, test.tolerance); got != test.want {
			t.Errorf("baseline %v, RTT %v, tolerance %v: %v, want %v", test.long, test.short, test.tolerance, got, test.want)
		}
	}
}

// A step to load and back goes through all three states.
func TestStatesOfAStep(t *testing.T) {
	a := start(t, &Gradient2{})
	var seen []State
	for i := range 3000 {
		rtt := 10 * ms
		if i >= 500 && i < 2500 {
			rtt = 40 * ms
		}
		a.Observe(Sample{RTT: rtt, InFlight: a.Limit()})
		if s := a.Reading().State; len(seen) == 0 || seen[len(seen)-1] != s {
			seen = append(seen, s)
		}
	}
	want := []State{Steady, ToLoad, Steady, ToSteady, Steady}
	if len(seen) < 4 || [4]State(seen) != [4]State(want) {
		t.Errorf("states %v, want %v", seen, want)
	}
}

func TestStateString(t *testing.T) {
	for s, want := range map[State]string{Steady: "steady", ToLoad: "to load", ToSteady: "to steady", 3: "unknown"} {
		if got := s.String(); got != want {
			t.Errorf("%d: %q, want %q", s, got, want)
		}
	}
}

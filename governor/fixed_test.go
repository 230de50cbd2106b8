package governor

import "testing"

func TestFixed(t *testing.T) {
	wantInvalid(t, Fixed(0), "Fixed")
	wantInvalid(t, Fixed(-3), "Fixed")
	for _, test := range []struct{ limit, ceiling, want int }{{1, 0, 1}, {7, 0, 7}, {7, 4, 4}, {4, 7, 4}} {
		a, err := Fixed(test.limit).Start(test.ceiling)
		if err != nil {
			t.Fatal(err)
		}
		s := Sample{At: 5, RTT: ms, InFlight: 100, Dropped: true}
		if got := a.Observe(s); got != test.want || a.Limit() != test.want {
			t.Errorf("%+v: limit %d", test, got)
		}
		if got := a.Reading(); got != (Reading{Window: windowOf(s)}) {
			t.Errorf("reading %+v", got)
		}
	}
}

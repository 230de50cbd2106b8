package operators_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/operators"
)

const ms = time.Millisecond

func ExampleThrottle() {
	start := time.Now()
	in := slices.Values([]string{"a", "b", "c"})
	for v, err := range operators.Throttle(context.Background(), in, 1000, time.Second) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v)
	}
	fmt.Println("took 2 ms or more:", time.Since(start) >= 2*time.Millisecond)
	// Output:
	// a
	// b
	// c
	// took 2 ms or more: true
}

// passed is when a value came out, since the start of the test.
type passed struct {
	value int
	at    time.Duration
}

func TestThrottleSpacesValues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var got []passed
		for v, err := range operators.Throttle(t.Context(), upTo(4), 4, time.Second) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, passed{v, time.Since(start)})
		}
		want := []passed{{1, 0}, {2, 250 * ms}, {3, 500 * ms}, {4, 750 * ms}}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestThrottleAtMostNInAnySpan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 3 // does not divide a second
		var times []time.Time
		for range operators.Throttle(t.Context(), upTo(100), n, time.Second) {
			times = append(times, time.Now())
		}
		for i := n; i < len(times); i++ {
			if span := times[i].Sub(times[i-n]); span < time.Second {
				t.Fatalf("%d values within %v", n+1, span)
			}
		}
	})
}

func TestThrottleWithSlowInputOrSlowCaller(t *testing.T) {
	pause := func(v int) {
		if v == 2 {
			time.Sleep(time.Second)
		}
	}
	want := []passed{{1, 0}, {2, 1000 * ms}, {3, 1100 * ms}, {4, 1200 * ms}}
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var got []passed
		for v := range operators.Throttle(t.Context(), operators.Tap(upTo(4), pause), 10, time.Second) {
			got = append(got, passed{v, time.Since(start)})
		}
		if !slices.Equal(got, want) {
			t.Errorf("slow input: got %v, want %v", got, want)
		}
	})
	want = []passed{{1, 0}, {2, 100 * ms}, {3, 1100 * ms}, {4, 1200 * ms}}
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var got []passed
		for v := range operators.Throttle(t.Context(), upTo(4), 10, time.Second) {
			got = append(got, passed{v, time.Since(start)})
			pause(v)
		}
		if !slices.Equal(got, want) {
			t.Errorf("slow caller: got %v, want %v", got, want)
		}
	})
}

func TestThrottleCancel(t *testing.T) {
	tests := []struct {
		name       string
		after      time.Duration
		wantValues []int
	}{
		{"before the start", 0, nil},
		{"while waiting", 150 * ms, []int{1, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tt.after)
				defer cancel()
				start := time.Now()
				var in feed
				var values []int
				var errs []error
				for v, err := range operators.Throttle(ctx, in.upTo(10), 10, time.Second) {
					if err != nil {
						errs = append(errs, err)
						continue
					}
					values = append(values, v)
				}
				if !slices.Equal(values, tt.wantValues) {
					t.Errorf("values %v, want %v", values, tt.wantValues)
				}
				if len(errs) != 1 || errs[0] != context.DeadlineExceeded {
					t.Errorf("errors %v, want the one of the context", errs)
				}
				if took := time.Since(start); took != tt.after {
					t.Errorf("ended after %v, want %v", took, tt.after)
				}
				if want := len(values) + 1; in.pulled != want {
					t.Errorf("%d values asked for, want %d", in.pulled, want)
				}
			})
		})
	}
}

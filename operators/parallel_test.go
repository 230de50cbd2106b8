package operators_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/operators"
)

func ExampleParallel() {
	square := func(ctx context.Context, v int) (int, error) {
		if v == 3 {
			return 0, errors.New("three is missing")
		}
		return v * v, nil
	}
	in := slices.Values([]int{1, 2, 3, 4})
	for v, err := range operators.Parallel(context.Background(), in, 2, square) {
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		fmt.Println(v)
	}
	// Output:
	// 1
	// 4
	// error: three is missing
	// 16
}

// slowly takes v milliseconds and watches its context.
func slowly(ctx context.Context, v int) (int, error) {
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(time.Duration(v) * ms):
		return v, nil
	}
}

func TestParallelKeepsTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		in := []int{50, 10, 30, 20, 40}
		seq := operators.Parallel(t.Context(), slices.Values(in), 5, slowly)
		for range 2 { // a second range is like the first
			var got []int
			for v, err := range seq {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, v)
			}
			if !slices.Equal(got, in) {
				t.Errorf("got %v, want %v", got, in)
			}
		}
		if took := time.Since(start); took != 100*ms {
			t.Errorf("took %v, want 100ms: twice the slowest", took)
		}
	})
}

func TestParallelRunsAtMostN(t *testing.T) {
	for _, n := range []int{1, 3, 64} {
		synctest.Test(t, func(t *testing.T) {
			var running, most atomic.Int64
			f := func(ctx context.Context, v int) (int, error) {
				now := running.Add(1)
				defer running.Add(-1)
				for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
				}
				return slowly(ctx, v%7+1)
			}
			var results int
			for _, err := range operators.Parallel(t.Context(), upTo(200), n, f) {
				if err != nil {
					t.Fatal(err)
				}
				results++
			}
			if results != 200 || most.Load() != int64(n) {
				t.Errorf("%d results, %d at the same time, want 200 and %d", results, most.Load(), n)
			}
		})
	}
}

func TestParallelEmitsWhatIsReadyWithTheNextValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var in feed
		paced := operators.Tap(in.upTo(3), func(int) { time.Sleep(10 * ms) })
		var got []output
		for v := range operators.Parallel(t.Context(), paced, 8, slowly) {
			got = append(got, output{v, in.pulled})
		}
		want := []output{{1, 2}, {2, 3}, {3, 3}}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestParallelEmptyInput(t *testing.T) {
	for v, err := range operators.Parallel(t.Context(), upTo(0), 4, slowly) {
		t.Errorf("got %v, %v from an empty input", v, err)
	}
}

func TestParallelBreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var in feed
		var ended atomic.Int64
		f := func(ctx context.Context, v int) (int, error) {
			defer ended.Add(1)
			if v == 1 {
				return 1, nil
			}
			return slowly(ctx, 1_000_000)
		}
		for range operators.Parallel(t.Context(), in.upTo(100), 4, f) {
			break
		}
		// All that was started has ended; synctest fails if a goroutine is left.
		if int(ended.Load()) != min(in.pulled, 4) {
			t.Errorf("%d calls have ended, %d values were asked for", ended.Load(), in.pulled)
		}
		if in.pulled > 5 {
			t.Errorf("%d values asked for, want at most 5: four calls and the next", in.pulled)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("took %v: the calls did not see the end of their context", took)
		}
	})
}

func TestParallelCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 25*ms)
		defer cancel()
		var values, errs int
		for _, err := range operators.Parallel(ctx, upTo(100), 1, func(ctx context.Context, v int) (int, error) {
			return slowly(ctx, 10)
		}) {
			if err == nil {
				values++
				continue
			}
			errs++
			if err != context.DeadlineExceeded {
				t.Errorf("error %v, want that of the context", err)
			}
		}
		if values != 2 || errs != 1 {
			t.Errorf("%d values and %d errors, want 2 and 1", values, errs)
		}
	})
}

func TestParallelCancelledBeforeTheStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var calls atomic.Int64
	for _, err := range operators.Parallel(ctx, upTo(3), 2, func(context.Context, int) (int, error) {
		calls.Add(1)
		return 0, nil
	}) {
		if err != context.Canceled {
			t.Errorf("error %v, want %v", err, context.Canceled)
		}
	}
	if calls.Load() != 0 {
		t.Errorf("%d calls, want none", calls.Load())
	}
}

func TestParallelStress(t *testing.T) {
	var sum int
	for v, err := range operators.Parallel(t.Context(), upTo(20_000), 8, func(_ context.Context, v int) (int, error) { return v, nil }) {
		if err != nil {
			t.Fatal(err)
		}
		if sum++; v != sum {
			t.Fatalf("result %d is %d", sum, v)
		}
	}
	if sum != 20_000 {
		t.Errorf("%d results, want 20000", sum)
	}
}

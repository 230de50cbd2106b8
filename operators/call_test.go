package operators_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/headrace/headrace/operators"
)

// caught returns what f panics with.
func caught(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

func TestParallelPanics(t *testing.T) {
	boom := func(at int) func(context.Context, int) (int, error) {
		return func(ctx context.Context, v int) (int, error) {
			if v == at {
				panic("boom")
			}
			return slowly(ctx, 10)
		}
	}
	tests := []struct {
		name string
		run  func(*testing.T)
	}{
		{"in f", func(t *testing.T) {
			var got int
			defer func() {
				if got != 2 {
					t.Errorf("%d results before the panic, want 2", got)
				}
			}()
			for range operators.Parallel(t.Context(), upTo(9), 4, boom(3)) {
				got++
			}
		}},
		{"in f, in a place of the ring used before", func(t *testing.T) {
			for range operators.Parallel(t.Context(), upTo(9), 2, boom(7)) {
			}
		}},
		{"in f, after a break", func(t *testing.T) {
			for range operators.Parallel(t.Context(), upTo(9), 4, boom(2)) {
				break
			}
		}},
		{"in the body", func(t *testing.T) {
			for range operators.Parallel(t.Context(), upTo(9), 4, slowly) {
				panic("boom")
			}
		}},
		{"in the input", func(t *testing.T) {
			in := operators.Tap(upTo(9), func(v int) {
				if v == 3 {
					panic("boom")
				}
			})
			for range operators.Parallel(t.Context(), in, 4, slowly) {
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if got := caught(func() { tt.run(t) }); got != "boom" {
					t.Errorf("panic %v, want boom", got)
				}
			})
		})
	}
}

// A call that ends its goroutine ends the caller's, as t.FailNow must.
func TestParallelGoexit(t *testing.T) {
	done := make(chan bool)
	go func() {
		survived := false
		defer func() { done <- survived }()
		for range operators.Parallel(context.Background(), upTo(3), 2, func(context.Context, int) (int, error) {
			runtime.Goexit()
			return 0, nil
		}) {
		}
		survived = true
	}()
	if <-done {
		t.Error("the caller went on")
	}
}

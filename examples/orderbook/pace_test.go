package main

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/pipeline"
)

// source yields events that were received at these seconds, and then err.
func source(err error, seconds ...int64) pipeline.Source[event] {
	return func(context.Context) iter.Seq2[pipeline.Delivery[event], error] {
		return func(yield func(pipeline.Delivery[event], error) bool) {
			for _, s := range seconds {
				e := event{received: 1_700_000_000_000_000_000 + s*int64(time.Second)}
				if !yield(pipeline.Delivery[event]{Value: e}, nil) {
					return
				}
			}
			if err != nil {
				yield(pipeline.Delivery[event]{}, err)
			}
		}
	}
}

func TestPaced(t *testing.T) {
	for _, tt := range []struct {
		speed float64
		want  []time.Duration
	}{
		{1, []time.Duration{0, 0, 10 * time.Second, time.Hour}},
		{4, []time.Duration{0, 0, 2500 * time.Millisecond, 15 * time.Minute}},
		{0.5, []time.Duration{0, 0, 20 * time.Second, 2 * time.Hour}},
		{0, []time.Duration{0, 0, 0, 0}},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			var got []time.Duration
			for d, err := range paced(source(nil, 0, 0, 10, 3600), tt.speed)(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				if tt.speed > 0 && !d.At.Equal(time.Now()) {
					t.Errorf("speed %v: arrived at %v, due at %v", tt.speed, time.Now(), d.At)
				}
				got = append(got, time.Since(start))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("speed %v: got %v, want %v", tt.speed, got, tt.want)
			}
		})
	}
}

// A region that was slow catches up, and the events tell when they were due.
func TestPacedCatchesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var got []time.Duration
		for d := range paced(source(nil, 0, 1, 2, 9), 1)(t.Context()) {
			got = append(got, time.Since(start), d.At.Sub(start))
			if len(got) == 2 {
				time.Sleep(5 * time.Second)
			}
		}
		s := time.Second
		if want := []time.Duration{0, 0, 5 * s, 1 * s, 5 * s, 2 * s, 9 * s, 9 * s}; !slices.Equal(got, want) {
			t.Errorf("yielded and due at %v, want %v", got, want)
		}
	})
}

func TestPacedStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
		defer cancel()
		start, n := time.Now(), 0
		for range paced(source(nil, 0, 10, 3600), 1)(ctx) {
			n++
		}
		if n != 2 || time.Since(start) != 15*time.Second {
			t.Errorf("stopped after %d events and %v, want 2 and 15s", n, time.Since(start))
		}
	})
}

func TestPacedHandsOnErrors(t *testing.T) {
	broken := errors.New("broken")
	var last error
	for _, last = range paced(source(broken, 0), 1)(t.Context()) {
	}
	if last != broken {
		t.Errorf("got %v, want %v", last, broken)
	}
}

func TestScaledDoesNotOverflow(t *testing.T) {
	if got := scaled(math.MaxInt64, 1e-300); got < 100*365*24*time.Hour {
		t.Errorf("got %v", got)
	}
}

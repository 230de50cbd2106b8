package core

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestMeasureFindsTimeAndAllocations(t *testing.T) {
	var sink []byte
	sample, err := measure(20*time.Millisecond, "x", func(n int) error {
		if n%step != 0 {
			t.Errorf("%d operations, want a multiple of %d", n, step)
		}
		for range n {
			for begin := time.Now(); time.Since(begin) < 2*time.Microsecond; {
			}
			sink = make([]byte, 32)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if sample["x"] < 2000 {
		t.Errorf("%v ns, want at least 2000", sample["x"])
	}
	if a := sample[allocated]; a < 1 || a > 1.5 {
		t.Errorf("%v allocations, want 1", a)
	}
	_ = sink
}

func TestMeasureReturnsErrors(t *testing.T) {
	broken := errors.New("broken")
	left := 0
	fail := func(n int) error {
		if left--; left < 0 {
			return broken
		}
		time.Sleep(time.Millisecond)
		return nil
	}
	synctest.Test(t, func(t *testing.T) {
		for left = range 5 {
			if _, err := measure(time.Millisecond, "x", fail); !errors.Is(err, broken) {
				t.Errorf("got %v", err)
			}
		}
	})
}

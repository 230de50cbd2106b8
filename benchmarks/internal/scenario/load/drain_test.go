package load

import (
	"testing"
	"time"
)

func TestDrain(t *testing.T) {
	var d drain
	for i, n := range []int{10, 5, 5, 10} {
		d.took(n, time.Unix(int64(i), 0))
	}
	for n, want := range map[int]time.Duration{10: time.Second, 11: 2 * time.Second, 15: 2 * time.Second, 20: 3 * time.Second} {
		if got, ok := d.last(n); got != want || !ok {
			t.Errorf("the last %d took %v, %v; want %v", n, got, ok, want)
		}
	}
	if _, ok := d.last(21); ok {
		t.Error("the time of more than was taken after the first mark is known")
	}
}

package cache

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// Back-offs that end at one instant all end, and none replaces another.
func TestBackOffsOfOneInstant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[int, int]{})
		const n = 100
		var entries []Entry[int, int]
		want := make([]int, n)
		for i := range n {
			want[i] = i
			c.Put(i, 0)
		}
		for range n {
			e, _ := c.TryTake()
			entries = append(entries, e)
		}
		slices.Reverse(entries)
		for _, e := range entries {
			c.Return(e, time.Second)
		}
		if c.Eligible() != 0 || c.Len() != n {
			t.Errorf("%d of %d eligible in back-off", c.Eligible(), c.Len())
		}
		time.Sleep(time.Second)
		if got := takeAll(c); !slices.Equal(got, want) {
			t.Errorf("took %v", got)
		}
	})
}

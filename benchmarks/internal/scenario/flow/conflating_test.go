package flow

import (
	"slices"
	"testing"
)

func TestConflating(t *testing.T) {
	c := newConflating[string, int]()
	c.put("a", 1)
	c.put("b", 2)
	c.put("a", 3)
	c.put("c", 4)
	into := make([]int, 2)
	if n := c.take(into); n != 2 || !slices.Equal(into, []int{3, 2}) {
		t.Errorf("took %d, %v", n, into)
	}
	c.close()
	if n := c.take(into); n != 1 || into[0] != 4 {
		t.Errorf("took %d, %v", n, into)
	}
	if n := c.take(into); n != 0 {
		t.Errorf("took %d at the end", n)
	}
}

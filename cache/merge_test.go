package cache

import (
	"testing"

	"pgregory.net/rapid"
)

// ranked has a key to merge by, and tells equals apart.
type ranked struct{ rank, id int }

func rank(r ranked) int { return r.rank }

func TestMerges(t *testing.T) {
	tests := []struct {
		name                    string
		merge                   func(waiting, arriving int) int
		waiting, arriving, want int
	}{
		{"Latest", Latest[int], 1, 2, 2},
		{"First", First[int], 1, 2, 1},
		{"Min", Min[int], 1, 2, 1},
		{"Min", Min[int], 2, 1, 1},
		{"Max", Max[int], 1, 2, 2},
		{"Max", Max[int], 2, 1, 2},
		{"Sum", Sum[int], 1, 2, 3},
	}
	for _, test := range tests {
		if got := test.merge(test.waiting, test.arriving); got != test.want {
			t.Errorf("%s(%d, %d) = %d, want %d", test.name, test.waiting, test.arriving, got, test.want)
		}
	}
}

func TestMinByMaxBy(t *testing.T) {
	low, low2, high := ranked{1, 1}, ranked{1, 2}, ranked{2, 3}
	tests := []struct {
		name                    string
		merge                   func(waiting, arriving ranked) ranked
		waiting, arriving, want ranked
	}{
		{"MinBy", MinBy(rank), low, high, low},
		{"MinBy", MinBy(rank), high, low, low},
		{"MinBy of equals", MinBy(rank), low, low2, low},
		{"MaxBy", MaxBy(rank), low, high, high},
		{"MaxBy", MaxBy(rank), high, low, high},
		{"MaxBy of equals", MaxBy(rank), low, low2, low},
	}
	for _, test := range tests {
		if got := test.merge(test.waiting, test.arriving); got != test.want {
			t.Errorf("%s(%v, %v) = %v, want %v", test.name, test.waiting, test.arriving, got, test.want)
		}
	}
}

func TestMergesAreAssociative(t *testing.T) {
	merges := map[string]func(a, b ranked) ranked{
		"Latest": Latest[ranked], "First": First[ranked], "MinBy": MinBy(rank), "MaxBy": MaxBy(rank),
	}
	values := rapid.Custom(func(t *rapid.T) ranked {
		return ranked{rapid.IntRange(0, 3).Draw(t, "rank"), rapid.Int().Draw(t, "id")}
	})
	for name, merge := range merges {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			a, b, c := values.Draw(t, "a"), values.Draw(t, "b"), values.Draw(t, "c")
			if left, right := merge(merge(a, b), c), merge(a, merge(b, c)); left != right {
				t.Errorf("(ab)c = %v, a(bc) = %v", left, right)
			}
		}))
	}
}

func TestSumStartsAgainAfterItWasTaken(t *testing.T) {
	c := mustNew(t, Options[string, int]{Merge: Sum[int]})
	c.Put("a", 1)
	c.Put("a", 2)
	first, _ := c.TryTake()
	c.Put("a", 4)
	c.Done(first)
	second, _ := c.TryTake()
	if first.Value != 3 || second.Value != 4 {
		t.Errorf("took %d and %d, want 3 and 4", first.Value, second.Value)
	}
}

package lane

import (
	"testing"

	"pgregory.net/rapid"
)

// TestLaneAgainstSlice holds the lane to a plain slice of (ticket, value).
func TestLaneAgainstSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type pair struct {
			ticket uint64
			value  int
		}
		var lane Lane[int]
		var model []pair
		next := 1
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				for range rapid.IntRange(1, 100).Draw(t, "n") {
					model = append(model, pair{lane.Push(next), next})
					next++
				}
			},
			"pop": func(t *rapid.T) {
				for range rapid.IntRange(1, 100).Draw(t, "n") {
					want := 0
					if len(model) > 0 {
						want, model = model[0].value, model[1:]
					}
					if got := lane.Pop(); got != want {
						t.Fatalf("Pop = %d, want %d", got, want)
					}
				}
			},
			"remove": func(t *rapid.T) {
				if len(model) == 0 {
					t.Skip("empty")
				}
				i := rapid.IntRange(0, len(model)-1).Draw(t, "i")
				lane.Remove(model[i].ticket)
				model = append(model[:i:i], model[i+1:]...)
			},
			"": func(t *rapid.T) {
				want := 0
				if len(model) > 0 {
					want = model[0].value
				}
				if lane.Len() != len(model) || lane.Front() != want {
					t.Fatalf("Len, Front = %d, %d, want %d, %d", lane.Len(), lane.Front(), len(model), want)
				}
				var full int
				for i := range lane.Span() {
					if v := lane.Peek(i); v != 0 {
						if v != model[full].value {
							t.Fatalf("Peek(%d) = %d, want %d", i, v, model[full].value)
						}
						full++
					}
				}
				if full != len(model) {
					t.Fatalf("Peek shows %d of %d", full, len(model))
				}
			},
		})
	})
}

func TestLaneGivesMemoryBack(t *testing.T) {
	var lane Lane[int]
	for i := range 100_000 {
		lane.Push(i + 1)
	}
	for lane.Pop() != 0 {
	}
	if got := len(lane.cells); got > smallest {
		t.Errorf("%d cells after the lane ran empty, want at most %d", got, smallest)
	}
}

func TestLaneSparse(t *testing.T) {
	var lane Lane[int]
	lane.Push(1)
	for i := range 1000 {
		lane.Remove(lane.Push(i + 2))
	}
	if !lane.Sparse() {
		t.Error("one element and a thousand holes are not sparse")
	}
}

// What is popped is let go of.
func TestPopKeepsNothing(t *testing.T) {
	var lane Lane[int]
	lane.Push(1)
	lane.Push(2)
	lane.Pop()
	lane.Pop()
	for i, v := range lane.cells {
		if v != 0 {
			t.Errorf("cell %d keeps %d", i, v)
		}
	}
}

// A lane whose first element is removed, again and again, does not grow, though
// nobody asks for its front.
func TestLaneOfWhichTheFirstIsRemoved(t *testing.T) {
	var lane Lane[int]
	first := lane.Push(1)
	for range 1000 {
		next := lane.Push(1)
		lane.Remove(first)
		first = next
	}
	if n := len(lane.cells); n > smallest {
		t.Errorf("%d cells for one element", n)
	}
}

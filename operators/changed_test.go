package operators_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/headrace/headrace/operators"
)

func ExampleChanged() {
	type quote struct {
		symbol string
		bid    float64
		seq    int
	}
	quotes := slices.Values([]quote{
		{"ES", 4810.00, 1},
		{"ES", 4810.00, 2},
		{"NQ", 16900.25, 3},
		{"ES", 4810.25, 4},
		{"NQ", 16900.25, 5},
	})
	changed := operators.Changed(quotes,
		func(q quote) string { return q.symbol },
		func(last, next quote) bool { return last.bid == next.bid })
	for q := range changed {
		fmt.Println(q.seq, q.symbol, q.bid)
	}
	// Output:
	// 1 ES 4810
	// 3 NQ 16900.25
	// 4 ES 4810.25
}

func TestChangedComparesWithTheLastThatPassed(t *testing.T) {
	near := func(last, next float64) bool { return math.Abs(last-next) < 1 }
	in := slices.Values([]float64{0, 0.5, 0.9, 1.2, 1.9, 2.3})
	got := slices.Collect(operators.Changed(in, func(float64) int { return 0 }, near))
	if want := []float64{0, 1.2, 2.3}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The first value of a key passes, also when it is the zero value.
func TestChangedPassesAFirstZero(t *testing.T) {
	equal := func(last, next int) bool { return last == next }
	got := slices.Collect(operators.Changed(slices.Values([]int{0, 0, 1, 0}), func(int) int { return 0 }, equal))
	if want := []int{0, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

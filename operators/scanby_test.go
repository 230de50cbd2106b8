package operators_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/headrace/headrace/operators"
)

func ExampleScanBy() {
	type trade struct {
		symbol string
		size   int
	}
	trades := slices.Values([]trade{{"ES", 3}, {"NQ", 1}, {"ES", 4}})
	volumes := operators.ScanBy(trades,
		func(t trade) string { return t.symbol },
		trade{},
		func(sum, t trade) trade { return trade{t.symbol, sum.size + t.size} })
	for v := range volumes {
		fmt.Println(v.symbol, v.size)
	}
	// Output:
	// ES 3
	// NQ 1
	// ES 7
}

// A state that equals the zero value is a state, not a key unseen.
func TestScanByKeepsAZeroState(t *testing.T) {
	got := slices.Collect(operators.ScanBy(slices.Values([]int{-5, 1}), func(int) string { return "k" }, 5, add))
	if want := []int{0, 1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

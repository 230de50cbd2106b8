package operators_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/headrace/headrace/operators"
)

func ExampleMap() {
	symbols := slices.Values([]string{"esh4", "nqh4"})
	for s := range operators.Map(symbols, strings.ToUpper) {
		fmt.Println(s)
	}
	// Output:
	// ESH4
	// NQH4
}

// A longer input must not cost more allocations than a short one.
func TestMapAndFilterDoNotAllocateByValue(t *testing.T) {
	allocs := func(n int) float64 {
		return testing.AllocsPerRun(10, func() {
			for range operators.Filter(operators.Map(upTo(n), func(v int) int { return v + 1 }), even) {
			}
		})
	}
	if short, long := allocs(1), allocs(10_000); long != short {
		t.Errorf("%v allocations for 10000 values, %v for one", long, short)
	}
}

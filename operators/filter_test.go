package operators_test

import (
	"fmt"
	"slices"

	"github.com/headrace/headrace/operators"
)

func ExampleFilter() {
	sizes := slices.Values([]int{3, 0, 5, 0})
	for size := range operators.Filter(sizes, func(n int) bool { return n > 0 }) {
		fmt.Println(size)
	}
	// Output:
	// 3
	// 5
}

package operators_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/headrace/headrace/operators"
)

func ExampleTap() {
	seen := 0
	counted := operators.Tap(slices.Values([]int{1, 2, 3, 4}), func(int) { seen++ })
	for v := range operators.Filter(counted, func(v int) bool { return v > 2 }) {
		fmt.Println(v)
	}
	fmt.Println("seen:", seen)
	// Output:
	// 3
	// 4
	// seen: 4
}

func TestTapComesBeforeTheValue(t *testing.T) {
	var tapped int
	for v := range operators.Tap(upTo(3), func(v int) { tapped = v }) {
		if tapped != v {
			t.Errorf("value %d came out when %d had been tapped", v, tapped)
		}
	}
}

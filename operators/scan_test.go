package operators_test

import (
	"fmt"
	"slices"

	"github.com/headrace/headrace/operators"
)

func ExampleScan() {
	sizes := slices.Values([]int{3, 5, 2})
	for volume := range operators.Scan(sizes, 0, func(sum, size int) int { return sum + size }) {
		fmt.Println(volume)
	}
	// Output:
	// 3
	// 8
	// 10
}

// A state that is changed in place is made by the function, so that each range
// has one of its own.
func ExampleScan_inPlace() {
	words := slices.Values([]string{"a", "b", "a"})
	counts := operators.Scan(words, nil, func(counts map[string]int, word string) map[string]int {
		if counts == nil {
			counts = make(map[string]int)
		}
		counts[word]++
		return counts
	})
	for range 2 {
		var last map[string]int
		for last = range counts {
		}
		fmt.Println(last)
	}
	// Output:
	// map[a:2 b:1]
	// map[a:2 b:1]
}

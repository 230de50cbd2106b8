package operators_test

import (
	"fmt"
	"slices"

	"github.com/headrace/headrace/operators"
)

func ExampleSequence() {
	for v := range operators.Sequence(slices.Values([]string{"a", "b"})) {
		fmt.Println(v.Number, v.Value)
	}
	// Output:
	// 1 a
	// 2 b
}

// The number stays with its value, so a later step can see a gap.
func ExampleNumbered() {
	numbered := operators.Sequence(slices.Values([]string{"a", "", "c"}))
	filled := operators.Filter(numbered, func(v operators.Numbered[string]) bool { return v.Value != "" })
	for v := range filled {
		fmt.Println(v.Number, v.Value)
	}
	// Output:
	// 1 a
	// 3 c
}

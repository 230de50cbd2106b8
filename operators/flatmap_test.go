package operators_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/headrace/headrace/operators"
)

func ExampleFlatMap() {
	lines := slices.Values([]string{"ESH4 NQH4", "", "YMH4"})
	for symbol := range operators.FlatMap(lines, strings.FieldsSeq) {
		fmt.Println(symbol)
	}
	// Output:
	// ESH4
	// NQH4
	// YMH4
}

// A break stops the inner sequence as well as the input.
func TestFlatMapBreakStopsTheInnerSequence(t *testing.T) {
	var inner feed
	var got int
	for v := range operators.FlatMap(upTo(3), func(int) iter.Seq[int] { return inner.upTo(10) }) {
		if got = v; v == 4 {
			break
		}
	}
	if got != 4 || inner.pulled != 4 {
		t.Errorf("broke at %d with %d inner values asked for, want 4 and 4", got, inner.pulled)
	}
}

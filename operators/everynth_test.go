package operators_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/headrace/headrace/operators"
)

func ExampleEveryNth() {
	prices := slices.Values([]float64{10, 11, 12, 13, 14})
	numbered := operators.Sequence(prices)
	for v := range operators.EveryNth(numbered, 2) {
		fmt.Println(v.Number, v.Value)
	}
	// Output:
	// 2 11
	// 4 13
}

func TestEveryNthOfOnePassesAll(t *testing.T) {
	got := slices.Collect(numbers(operators.EveryNth(operators.Sequence(upTo(3)), 1)))
	if want := []int{1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestEveryNthLooksAtNumbersAndDoesNotCount(t *testing.T) {
	no4 := operators.Filter(operators.Sequence(upTo(6)), func(v operators.Numbered[int]) bool { return v.Number != 4 })
	got := slices.Collect(numbers(operators.EveryNth(no4, 2)))
	if want := []int{2, 6}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

package operators_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"testing"

	"github.com/headrace/headrace/operators"
)

func ExampleTryMap() {
	words := slices.Values([]string{"1", "two", "3"})
	for n, err := range operators.TryMap(words, strconv.Atoi) {
		if err != nil {
			fmt.Println("skipped:", err)
			continue
		}
		fmt.Println(n)
	}
	// Output:
	// 1
	// skipped: strconv.Atoi: parsing "two": invalid syntax
	// 3
}

// The fallible steps have the shape that TryVia of package pipeline takes.
// What f needs of the context it catches.
func ExampleTryMap_step() {
	step := func(ctx context.Context, in iter.Seq[string]) iter.Seq2[int, error] {
		return operators.TryMap(in, func(s string) (int, error) {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			return strconv.Atoi(s)
		})
	}
	for n, err := range step(context.Background(), slices.Values([]string{"7"})) {
		fmt.Println(n, err)
	}
	// Output: 7 <nil>
}

func TestTryMapErrorDoesNotEndTheSequence(t *testing.T) {
	odd := errors.New("odd")
	var in feed
	var got []int
	var failed int
	for v, err := range operators.TryMap(in.upTo(5), func(v int) (int, error) {
		if !even(v) {
			return 0, odd
		}
		return v, nil
	}) {
		if err != nil {
			failed++
			if err != odd {
				t.Errorf("error %v, want the one of f", err)
			}
			continue
		}
		got = append(got, v)
	}
	if !slices.Equal(got, []int{2, 4}) || failed != 3 {
		t.Errorf("got %v and %d errors, want [2 4] and 3", got, failed)
	}
}

func TestTryMapBreakAtError(t *testing.T) {
	var in feed
	for _, err := range operators.TryMap(in.upTo(5), func(v int) (int, error) { return 0, errors.New("no") }) {
		if err != nil {
			break
		}
	}
	if in.pulled != 1 {
		t.Errorf("%d values asked for, want 1", in.pulled)
	}
}

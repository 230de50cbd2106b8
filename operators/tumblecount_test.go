package operators_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/headrace/headrace/operators"
	"pgregory.net/rapid"
)

func ExampleTumbleCount() {
	type trade struct {
		symbol string
		size   int
	}
	trades := slices.Values([]trade{{"ES", 3}, {"NQ", 1}, {"ES", 4}, {"ES", 2}, {"NQ", 5}, {"ES", 1}, {"ES", 6}})
	symbol := func(t trade) string { return t.symbol }
	volume := func(sum int, t trade) int { return sum + t.size }
	for g := range operators.TumbleCount(trades, 2, symbol, 0, volume) {
		fmt.Println(g.Key, g.Value)
	}
	// Output:
	// ES 7
	// NQ 6
	// ES 3
	// ES 6
}

// The count tells a group that the end of the input has cut short.
func ExampleGroup() {
	prices := slices.Values([]float64{10, 11, 12, 13, 14})
	all := func(float64) string { return "all" }
	for g := range operators.TumbleCount(prices, 3, all, 0, func(high, p float64) float64 { return max(high, p) }) {
		fmt.Println(g.Key, g.Count, g.Value)
	}
	// Output:
	// all 3 12
	// all 2 14
}

// tumbleCountModel looks for the group of each value when it is the group's
// last one, and then for those that have none.
func tumbleCountModel(keys []int, n int) []string {
	members := make(map[int][]int) // of each key
	for i, k := range keys {
		members[k] = append(members[k], i)
	}
	var full, cut []string
	for i, k := range keys {
		place := slices.Index(members[k], i)
		first := place - place%n
		switch group := members[k][first:min(first+n, len(members[k]))]; {
		case len(group) == n && group[n-1] == i:
			full = append(full, fmt.Sprintf("%d: %d %v", k, n, group))
		case len(group) < n && group[0] == i:
			cut = append(cut, fmt.Sprintf("%d: %d %v", k, len(group), group))
		}
	}
	return append(full, cut...)
}

func TestTumbleCountAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "n")
		keys := rapid.SliceOfN(rapid.IntRange(0, 4), 0, 50).Draw(t, "keys")
		in := make([]stamped, len(keys))
		for i, k := range keys {
			in[i] = stamped{key: k, id: i}
		}
		var got []string
		for g := range operators.TumbleCount(slices.Values(in), n, stamped.of, nil, ids) {
			got = append(got, fmt.Sprintf("%d: %d %v", g.Key, g.Count, g.Value))
		}
		if want := tumbleCountModel(keys, n); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

package operators_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/headrace/headrace/operators"
	"pgregory.net/rapid"
)

func ExampleJoinLatest() {
	type quote struct{ bid, ask float64 }
	type trade struct {
		price float64
		size  int
	}
	// event is what both streams are made into: quotes and trades in the order
	// in which they came.
	type event struct {
		symbol string
		kind   byte
		quote  quote
		trade  trade
	}
	events := slices.Values([]event{
		{symbol: "ES", kind: 'T', trade: trade{4810.00, 1}},
		{symbol: "ES", kind: 'Q', quote: quote{4810.00, 4810.25}},
		{symbol: "NQ", kind: 'Q', quote: quote{16900.25, 16900.75}},
		{symbol: "ES", kind: 'T', trade: trade{4810.25, 3}},
		{symbol: "ES", kind: 'Q', quote: quote{4810.25, 4810.50}},
		{symbol: "ES", kind: 'T', trade: trade{4810.25, 2}},
	})
	symbol := func(e event) string { return e.symbol }
	trades := func(e event) (trade, bool) { return e.trade, e.kind == 'T' }
	quotes := func(e event) (quote, bool) { return e.quote, e.kind == 'Q' }

	for j := range operators.JoinLatest(events, symbol, trades, quotes) {
		switch {
		case !j.Matched:
			fmt.Println(j.Left.size, "before any quote")
		case j.Left.price >= j.Right.ask:
			fmt.Println(j.Left.size, "bought at", j.Right.ask)
		case j.Left.price <= j.Right.bid:
			fmt.Println(j.Left.size, "sold at", j.Right.bid)
		}
	}
	// Output:
	// 1 before any quote
	// 3 bought at 4810.25
	// 2 sold at 4810.25
}

// What is unmatched can be filtered out.
func ExampleJoined() {
	word := func(v any) (string, bool) { s, is := v.(string); return s, is }
	number := func(v any) (int, bool) { n, is := v.(int); return n, is }
	one := func(any) string { return "one key for all" }

	joined := operators.JoinLatest(slices.Values([]any{"a", 1, "b", 2, 3, "c"}), one, word, number)
	matched := operators.Filter(joined, func(j operators.Joined[string, int]) bool { return j.Matched })
	for j := range matched {
		fmt.Println(j.Left, j.Right)
	}
	// Output:
	// b 1
	// c 3
}

// sided is a value that is left, right, both or neither.
type sided struct {
	key, id     int
	left, right bool
}

// joinModel looks back from each left value.
func joinModel(in []sided) []operators.Joined[int, int] {
	var want []operators.Joined[int, int]
	for i, v := range in {
		if !v.left {
			continue
		}
		j := operators.Joined[int, int]{Left: v.id}
		for _, r := range slices.Backward(in[:i+1]) {
			if r.right && r.key == v.key {
				j.Right, j.Matched = r.id, true
				break
			}
		}
		want = append(want, j)
	}
	return want
}

func TestJoinLatestAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := make([]sided, rapid.IntRange(0, 40).Draw(t, "values"))
		for i := range in {
			in[i] = sided{rapid.IntRange(0, 3).Draw(t, "key"), i, rapid.Bool().Draw(t, "left"), rapid.Bool().Draw(t, "right")}
		}
		got := slices.Collect(operators.JoinLatest(slices.Values(in),
			func(v sided) int { return v.key },
			func(v sided) (int, bool) { return v.id, v.left },
			func(v sided) (int, bool) { return v.id, v.right }))
		if want := joinModel(in); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// A right value that is the zero value is a match, not a key unseen.
func TestJoinLatestMatchesAZero(t *testing.T) {
	in := slices.Values([]sided{{right: true}, {left: true}})
	for j := range operators.JoinLatest(in,
		func(sided) int { return 0 },
		func(v sided) (bool, bool) { return true, v.left },
		func(v sided) (bool, bool) { return false, v.right }) {
		if !j.Matched {
			t.Error("unmatched")
		}
	}
}

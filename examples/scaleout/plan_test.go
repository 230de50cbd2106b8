package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestPlan(t *testing.T) {
	for _, test := range []struct{ name, owners, workers, want string }{
		{"at the start", "- - - - - -", "a b c", "a b c a b c"},
		{"nothing to do", "a b c a b c", "a b c", "a b c a b c"},
		{"one is gone", "a - c a - c", "a c", "a a c a c c"},
		{"one comes back", "a a c a c c", "a b c", "a a c b c b"},
		{"an extra one stays where it is", "b b b a a", "a b", "b b b a a"},
		{"an owner that is not there", "x a", "a b", "b a"},
		{"more workers than partitions", "- -", "a b c", "a b"},
		{"no workers", "a b", "", "- -"},
	} {
		owners := strings.Fields(strings.ReplaceAll(test.owners, "-", "_"))
		for i, o := range owners {
			owners[i] = strings.Trim(o, "_")
		}
		next := plan(owners, strings.Fields(test.workers))
		for i, o := range next {
			if o == "" {
				next[i] = "-"
			}
		}
		if got := strings.Join(next, " "); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// Whatever the owners: all have an owner, the shares are even, and a partition
// moves only if its owner is gone or had too many.
func TestPlanIsEven(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		owners := make([]string, 1+random.IntN(20))
		for p := range owners {
			owners[p] = fmt.Sprint(random.IntN(6))
		}
		workers := []string{"0", "1", "2", "3", "4"}[:1+random.IntN(5)]
		next := plan(owners, workers)
		before, after := count(owners), count(next)
		least, most := len(owners), 0
		for _, w := range workers {
			least, most = min(least, after[w]), max(most, after[w])
		}
		if after[""] > 0 || most-least > 1 {
			t.Fatalf("%v with %v: %v is not even", owners, workers, next)
		}
		for p, o := range owners {
			if next[p] != o && slices.Contains(workers, o) && before[o] <= len(owners)/len(workers) {
				t.Fatalf("%v with %v: %v moves partition %d without need", owners, workers, next, p)
			}
		}
	}
}

func count(owners []string) map[string]int {
	n := make(map[string]int)
	for _, o := range owners {
		n[o]++
	}
	return n
}

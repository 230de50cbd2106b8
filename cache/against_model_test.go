package cache

import (
	"maps"
	"slices"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"
)

// bubbled hides that a test is a *testing.T, of which rapid would ask the
// deadline. That is not allowed in a bubble.
type bubbled struct{ *testing.T }

func TestAgainstModel(t *testing.T) {
	for _, policy := range policies {
		t.Run(policy, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rapid.Check(bubbled{t}, func(t *rapid.T) {
					choose := func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }
					x := newMachine(policy, choose, t.Fatalf)
					defer x.stop()
					actions := map[string]func(*rapid.T){"": func(*rapid.T) { x.check() }}
					for name, act := range x.actions() {
						actions[name] = func(*rapid.T) { act() }
					}
					t.Repeat(actions)
				})
			})
		})
	}
}

// FuzzCache reads the policy, the options and the steps from a string: each
// choice takes a byte.
func FuzzCache(f *testing.F) {
	for policy := range policies {
		seed := []byte{byte(policy), 2, byte(policy)}
		for i := range 100 {
			seed = append(seed, byte(i*i+i*policy))
		}
		f.Add(seed)
	}
	// MaxEntries 1 and Wait; three puts of distinct keys that wait, then take
	// and end what there is.
	f.Add([]byte{0, 1, 0, 8, 0, 0, 8, 1, 0, 1, 8, 2, 0, 1, 11, 1, 0, 0, 11, 1, 0, 0})
	f.Fuzz(func(t *testing.T, ops []byte) {
		ops = ops[:min(len(ops), 1000)]
		synctest.Test(t, func(t *testing.T) {
			choose := func(_ string, n int) int {
				if len(ops) == 0 {
					return 0
				}
				b := int(ops[0])
				ops = ops[1:]
				return b % n
			}
			x := newMachine(policies[choose("policy", len(policies))], choose, t.Fatalf)
			defer x.stop()
			actions := x.actions()
			names := slices.Sorted(maps.Keys(actions))
			for len(ops) > 0 {
				name := names[choose("action", len(names))]
				actions[name]()
				x.check()
			}
		})
	})
}

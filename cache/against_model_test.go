package cache

import (
	"maps"
	"slices"
	"strings"
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
	for _, s := range seeds {
		f.Add(s.bytes())
	}
	for policy := range policies {
		seed := []byte{byte(policy), 2, byte(policy)}
		for i := range 100 {
			seed = append(seed, byte(i*i+i*policy))
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, steps []byte) {
		steps = steps[:min(len(steps), 1000)]
		synctest.Test(t, func(t *testing.T) {
			choose := func(_ string, n int) int {
				if len(steps) == 0 {
					return 0
				}
				b := int(steps[0])
				steps = steps[1:]
				return b % n
			}
			x := newMachine(policies[choose("policy", len(policies))], choose, t.Fatalf)
			defer x.stop()
			actions := x.actions()
			names := slices.Sorted(maps.Keys(actions))
			for len(steps) > 0 {
				name := names[choose("action", len(names))]
				actions[name]()
				x.check()
			}
		})
	})
}

// seed is a run of the machine written out: the choices of the options, and
// the steps with theirs, a digit each.
type seed struct{ options, steps string }

// The choices of the options are: policy, MaxEntries, SizeOf (and MaxBytes),
// Overflow if there is a bound, HeadStart, Annihilate, MaxAge (and Expiry).
// Those of Put, Delete and Append: key, rank. Of Admit: op, stamp, key, rank,
// sequence, receipt. Of AdmitWait: also whether its context has ended, at 0.
var seeds = []seed{
	// Waiting for room, and ending what there is.
	{"0100000", "Put00 AdmitWait4010011 AdmitWait0020011 AdmitWait0030011 TryTake Done0 TryTake Done0"},
	// A line with appended values on both sides, returned into, all ways.
	{"200000", "Put00 Append01 Put02 Put03 Append00 TryTake Put01 Return03 Return01 TakeBatch2 TryTake Return01 Done000"},
	// Each operation on top of each other.
	{"000000", "Admit000001 Admit300001 Admit000001 Admit300001 Admit300001 Admit200001 Admit100001 TryTake Delete00 Return01 Put00"},
	// Insert and Delete: waiting, behind a lease, behind an Append, returned.
	{"000010", "Admit100001 Delete00 Admit100001 TryTake Admit100001 Delete00 Return01 Delete00 Append10 Admit101001 Delete10"},
	// Head starts, eviction by arrival, and what cannot be evicted.
	{"0302100", "Admit043301 Admit042001 Admit341001 Admit040001 Admit042001 Put33 TryTake TryTake TryTake TryTake"},
	// Bytes: an update outgrows them, a large entry needs the room of many.
	{"20112000", "Put00 Put10 Put03 Put33 Put20 TryTake Delete13 Put01 Return01"},
	// Over age: dropped at a take, while a delete stays.
	{"0000011", "Put00 Append00 Delete10 Put00 sleep2 sleep2 TryTake Eligible TryTake TryTake"},
	// Over age: emitted at once, oldest first although another has a head start.
	{"0001010", "Put00 Put33 sleep2 Overdue TryTakeOverdue Overdue TryTakeOverdue"},
	// Batches: the quick way, one at a bound behind one that waits, one of all kinds.
	{"2100000", "AdmitBatch02000000000000001000 AdmitWait0010001 AdmitBatch01000000002000 TryTake TryTakeBatch2 Done000 AdmitBatch13000001300010001000400001"},
	// Functions that panic.
	{"31100100", "Put00 explode0400010 explode0400011 explode0410013 TryTake Put02 implode010"},
}

func (s seed) bytes() (b []byte) {
	digits := func(text string) {
		for _, d := range text {
			b = append(b, byte(d-'0'))
		}
	}
	names := slices.Sorted(maps.Keys((&machine{}).actions()))
	digits(s.options)
	for step := range strings.FieldsSeq(s.steps) {
		name := strings.TrimRight(step, "0123456789")
		i, ok := slices.BinarySearch(names, name)
		if !ok {
			panic("no step " + name)
		}
		b = append(b, byte(i))
		digits(step[len(name):])
	}
	return b
}

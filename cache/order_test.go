package cache

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// takeAll takes and ends all that is eligible and returns the keys in order.
func takeAll[K comparable, V any](c *Cache[K, V]) (keys []K) {
	for {
		e, ok := c.TryTake()
		if !ok {
			return keys
		}
		keys = append(keys, e.Key)
		c.Done(e)
	}
}

// Golden: whatever is merged, entries leave in the order of their first value.
func TestMergingNeverMovesAPosition(t *testing.T) {
	base := time.Now()
	at := func(ms int) time.Time { return base.Add(time.Duration(ms) * time.Millisecond) }
	for name, o := range map[string]Options[string, int]{
		"nil":   {},
		"Sum":   {Merge: Sum[int]},
		"Newer": {Newer: func(waiting, arriving int) bool { return arriving > waiting }},
	} {
		c := mustNew(t, o)
		c.PutAt("b", 1, at(20))
		c.PutAt("a", 1, at(10))
		c.PutAt("c", 1, at(30))
		c.PutAt("c", 2, at(0)) // older than all, but its entry is not
		c.PutAt("a", 2, at(40))
		c.PutAt("b", 2, at(50))
		if got, want := takeAll(c), []string{"a", "b", "c"}; !slices.Equal(got, want) {
			t.Errorf("%s: took %v, want %v", name, got, want)
		}
	}
}

// Clocks repeat. Entries of one instant leave in the order they came, and none
// replaces another, in the lane as in the tree.
func TestEqualStampsKeepTheOrderOfArrival(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	now := time.Now()
	c.PutAt(-1, 0, now.Add(time.Hour)) // what follows goes into the tree
	for i := range 100 {
		c.PutAt(i, i, now)
	}
	for i := 100; i < 200; i++ {
		c.PutAt(i, i, now.Add(2*time.Hour)) // and this into the lane
	}
	got := takeAll(c)
	want := make([]int, 0, 201)
	for i := range 200 {
		if i == 100 {
			want = append(want, -1)
		}
		want = append(want, i)
	}
	if !slices.Equal(got, want) {
		t.Errorf("took %v", got)
	}
}

// A key that is updated a thousand times as often as the others waits as long
// as they do: one turn of all keys.
func TestHotKeyWaitsNoLongerThanColdOnes(t *testing.T) {
	const keys, rounds = 20, 50
	c := mustNew(t, Options[int, int]{})
	longest := make([]int, keys) // in entries taken before
	last := make([]int, keys)
	taken := 0
	for i := range keys {
		c.Put(i, 0)
	}
	for range keys * rounds {
		for i := range 1000 {
			c.Put(0, i)
		}
		e, _ := c.TryTake()
		taken++
		longest[e.Key] = max(longest[e.Key], taken-last[e.Key])
		last[e.Key] = taken
		c.Done(e)
		c.Put(e.Key, 0)
	}
	for key, n := range longest {
		if n > keys {
			t.Errorf("key %d waited for %d entries, want at most %d", key, n, keys)
		}
	}
}

// A lane that is mostly holes, because its first slot stays, does not grow.
func TestLaneOfHolesDoesNotGrow(t *testing.T) {
	o := newOrder[int, int](nextFirst)
	slots := make([]slot[int, int], 1000)
	for i := range slots {
		slots[i].head = item[int]{at: time.Duration(i), sequence: uint64(i + 1)}
		o.push(&slots[i])
		if i > 0 {
			o.remove(&slots[i])
		}
		if o.lane.Sparse() {
			t.Fatalf("the lane is sparse after %d slots", i+1)
		}
	}
	if o.min() != &slots[0] || o.len() != 1 {
		t.Error("the first slot is lost")
	}
}

// TestOrderAgainstSort puts in order and out of order, and takes out of the
// middle until the lane is mostly holes.
func TestOrderAgainstSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := newOrder[int, int](nextFirst)
		var model []*slot[int, int]
		sequence, now := uint64(0), time.Duration(0)
		push := func(at time.Duration) {
			sequence++
			s := &slot[int, int]{head: item[int]{at: at, sequence: sequence}}
			o.push(s)
			i, _ := slices.BinarySearchFunc(model, s, func(a, b *slot[int, int]) int {
				if a.head.position().before(b.head.position()) {
					return -1
				}
				return 1
			})
			model = slices.Insert(model, i, s)
		}
		take := func(i int) {
			live, inLane := o.lane.Len(), model[i].place != inTree
			if o.remove(model[i]); inLane && o.lane.Sparse() && o.lane.Len() > live-5 {
				t.Fatalf("a lane of holes goes from %d to %d", live, o.lane.Len())
			}
			model = slices.Delete(model, i, i+1)
		}
		t.Repeat(map[string]func(*rapid.T){
			"in order": func(t *rapid.T) {
				for range rapid.IntRange(1, 200).Draw(t, "n") {
					now += time.Duration(sequence % 2)
					push(now)
				}
			},
			"late": func(t *rapid.T) { push(now - time.Duration(rapid.IntRange(0, 100).Draw(t, "late"))) },
			"first": func(t *rapid.T) {
				if len(model) > 0 {
					take(0)
				}
			},
			"most": func(t *rapid.T) {
				left := rapid.IntRange(0, 5).Draw(t, "left")
				for len(model) > left {
					take(len(model) - 1)
				}
			},
			"": func(t *rapid.T) {
				var want *slot[int, int]
				if len(model) > 0 {
					want = model[0]
				}
				if got := o.min(); got != want || o.len() != len(model) {
					t.Fatalf("min = %v of %d, want %v of %d", got, o.len(), want, len(model))
				}
			},
		})
	})
}

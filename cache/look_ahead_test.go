package cache

import (
	"fmt"
	"testing"
)

// Keys of a batch are looked up some at a time, before the first of them is
// admitted. A key that comes again, in the same run or the next, finds the entry
// made meanwhile, and one that has no slot yet ends the run.
func TestAdmitBatchLooksAhead(t *testing.T) {
	c := mustNew(t, Options[string, int]{Merge: Sum[int]})
	for _, key := range []string{"idle", "waits"} {
		admits(t, c, t.Context(), batchOf(key), 1, nil)
	}
	e, _ := c.TryTake()
	c.Done(e) // "idle" has a slot, of which nothing waits
	want := map[string]int{"waits": 1}
	var batch []arrival
	for n := range 3*ahead + 1 {
		key := []string{"idle", "waits", "idle", "new"}[n%4]
		if n%ahead == ahead-1 {
			key = fmt.Sprint("new-", n) // the last of a run
		}
		batch = append(batch, arrival{Key: key, Value: 100 + n})
		want[key] += 100 + n
	}
	admits(t, c, t.Context(), batch, len(batch), nil)
	for e := range c.All() {
		if e.Value != want[e.Key] {
			t.Errorf("%s: %d, want %d", e.Key, e.Value, want[e.Key])
		}
		delete(want, e.Key)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

// The slots of a run are its keys' own to the end: none of them is taken away to
// serve a new key, however many idle.
func TestAdmitBatchKeepsWhatItFound(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	for key := range residents {
		_ = c.Put(key, 0)
		e, _ := c.TryTake()
		c.Done(e)
	}
	var batch []Arrival[int, int]
	for n := range 4 * ahead {
		batch = append(batch, Arrival[int, int]{Key: n, Value: n}, Arrival[int, int]{Key: residents + n, Value: residents + n})
	}
	admits(t, c, t.Context(), batch, len(batch), nil)
	n := 0
	for e := range c.All() {
		if e.Key != e.Value {
			t.Errorf("key %d has value %d", e.Key, e.Value)
		}
		n++
	}
	if n != len(batch) {
		t.Errorf("%d entries wait, want %d", n, len(batch))
	}
}

// A batch finds keys in both maps of the table while the old one is on its way out,
// whether something of them waits, is leased, or nothing is.
func TestAdmitBatchWhileTheOldMapGoesOut(t *testing.T) {
	c := mustNew(t, Options[int, int]{Merge: Sum[int]})
	const keys = 3*ahead + 5
	for key := range keys {
		c.Put(key, 1)
	}
	entries := make([]Entry[int, int], keys)
	c.TakeBatch(t.Context(), entries)
	want := make(map[int]int)
	for _, e := range entries {
		switch want[e.Key] = 20; e.Key % 3 {
		case 0:
			c.Return(e, 0)
			want[e.Key] = 21
		case 1:
			c.Done(e)
		}
	}
	c.slots.old, c.slots.keys = c.slots.keys, make(map[int]*slot[int, int])
	var batch []Arrival[int, int]
	for n := range 2 * (keys + 10) {
		want[n/2] = max(want[n/2], 20)
		batch = append(batch, Arrival[int, int]{Key: n / 2, Value: 10})
	}
	admits(t, c, t.Context(), batch, len(batch), nil)
	if c.slots.old != nil || c.slots.len() != keys+10 {
		t.Errorf("%d keys in the old map of %d, want none of %d", len(c.slots.old), c.slots.len(), keys+10)
	}
	for key, want := range want {
		if v, ok := c.Get(key); v != want || !ok {
			t.Errorf("key %d: %d, %v, want %d", key, v, ok, want)
		}
	}
}

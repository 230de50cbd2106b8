package cache

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A put that one of the user's functions panics in leaves all as it was.
func TestPanicLeavesTheCacheAsItWas(t *testing.T) {
	explode := ""
	may := func(function string) {
		if explode == function {
			panic(function)
		}
	}
	o := Options[string, int]{
		Merge:      func(w, a int) int { may("Merge"); return w + a },
		Newer:      func(w, a int) bool { may("Newer"); return a >= w },
		HeadStart:  func(string, int) time.Duration { may("HeadStart"); return 0 },
		SizeOf:     func(_ string, v int) int64 { may("SizeOf"); return int64(v) },
		MaxEntries: 2, MaxBytes: 10, Overflow: EvictOldest,
	}
	tests := []struct {
		function, key string
		op            Op
	}{
		{"Merge", "a", Upsert}, {"Newer", "a", Upsert}, {"SizeOf", "a", Upsert},
		{"Newer", "a", Delete}, {"SizeOf", "a", Delete},
		{"HeadStart", "c", Upsert}, {"SizeOf", "c", Upsert}, // which would evict
		{"HeadStart", "a", Append}, {"SizeOf", "a", Append},
	}
	for _, test := range tests {
		c := mustNew(t, o)
		c.Put("a", 4)
		c.Put("b", 5)
		before, waits := c.Ledger(), slices.Collect(c.All())
		explode = test.function
		func() {
			defer func() {
				if r := recover(); r != test.function {
					t.Errorf("%+v: recovered %v", test, r)
				}
			}()
			c.Admit(Arrival[string, int]{Key: test.key, Value: 6, Op: test.op})
		}()
		explode = ""
		if got := c.Ledger(); got != before {
			t.Errorf("%+v: ledger %+v, want %+v", test, got, before)
		}
		for i, e := range slices.Collect(c.All()) {
			if w := waits[i]; e.Key != w.Key || e.Value != w.Value || e.Op != w.Op || e.Merged != w.Merged || e.Newest() != w.Newest() {
				t.Errorf("%+v: %+v waits, want %+v", test, e, w)
			}
		}
		if err := c.Put("c", 1); err != nil { // evicts a
			t.Errorf("%+v: the next put: %v", test, err)
		}
	}
}

func TestKeyThatIsNotEqualToItself(t *testing.T) {
	type pair struct {
		name string
		f    float64
	}
	nan := pair{"a", math.NaN()}
	c := mustNew(t, Options[pair, int]{MaxEntries: 1})
	for name, err := range map[string]error{
		"Put":     c.Put(nan, 1),
		"Delete":  c.Delete(nan, 1),
		"Append":  c.Append(nan, 1),
		"PutWait": c.PutWait(t.Context(), nan, 1),
	} {
		if !errors.Is(err, ErrKey) {
			t.Errorf("%s: %v, want ErrKey", name, err)
		}
	}
	if c.Len() != 0 || c.busy() != 0 {
		t.Errorf("%d entries and %d slots are left", c.Len(), c.busy())
	}
	if l := c.Ledger(); l.Puts != 4 || l.Rejected != 4 || l.Check() != nil {
		t.Errorf("ledger %+v", l)
	}
	if err := c.Put(pair{"a", 1}, 1); err != nil {
		t.Errorf("a good key: %v", err)
	}
	c.Close()
	if err := c.Put(nan, 1); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v, want ErrClosed", err)
	}
}

// Both sides of an annihilation are reported, the entry first.
func TestAnnihilationIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		c := mustNew(t, Options[string, int]{Annihilate: true, OnDrop: func(e Entry[string, int], r Reason) {
			got = append(got, fmt.Sprint(e.Op, e.Value, e.First, e.Last, e.Merged, e.Wait(), r))
		}})
		c.Admit(Arrival[string, int]{Key: "a", Value: 1, Op: Insert, Sequence: 7})
		c.Admit(Arrival[string, int]{Key: "a", Value: 2, Sequence: 8}) // an insert still
		time.Sleep(time.Second)
		c.Admit(Arrival[string, int]{Key: "a", Value: 3, Op: Delete, Sequence: 9})
		want := []string{"insert 2 7 8 1 1s annihilated", "delete 3 9 9 0 0s annihilated"}
		if !slices.Equal(got, want) {
			t.Errorf("reported %q, want %q", got, want)
		}
		if l := c.Ledger(); l != (Ledger{Puts: 3, Inserted: 1, Merged: 1, Annihilated: 1}) {
			t.Errorf("ledger %+v", l)
		}
		if c.busy() != 0 {
			t.Error("the key is still known")
		}
	})
}

// Where an annihilation leaves an appended value, that is first again.
func TestAnnihilationAtTheEndOfALine(t *testing.T) {
	c := mustNew(t, Options[string, string]{Annihilate: true})
	c.Append("a", "x")
	c.Admit(Arrival[string, string]{Key: "a", Value: "y", Op: Insert})
	c.Delete("a", "z")
	if got := line(c); got != "append x" {
		t.Errorf("%s waits, want append x", got)
	}
	if s := c.slots.get("a"); s.extra.rest != nil {
		t.Error("an empty line keeps its memory")
	}
	c.Append("a", "w")
	if got := line(c); got != "append x, append w" {
		t.Errorf("%s waits", got)
	}
}

// An annihilation makes room for a put that waits.
func TestAnnihilationMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 1, Annihilate: true})
		c.Admit(Arrival[string, int]{Key: "a", Op: Insert})
		go c.PutWait(t.Context(), "b", 1)
		synctest.Wait()
		c.Delete("a", 0)
		synctest.Wait()
		if _, ok := c.Get("b"); !ok {
			t.Error("b still waits for room")
		}
	})
}

// An insert that is newer than a delete, as Newer tells, is not the one that
// was deleted.
func TestLateDeleteDoesNotAnnihilate(t *testing.T) {
	c := mustNew(t, Options[string, int]{
		Merge: Sum[int], Annihilate: true,
		Newer: func(waiting, arriving int) bool { return arriving > waiting },
	})
	c.Admit(Arrival[string, int]{Key: "a", Value: 5, Op: Insert})
	c.Delete("a", 4)
	if e, ok := c.TryTake(); !ok || e.Value != 5 || e.Op != Replace {
		t.Errorf("took %+v, %v, want the replace of 5", e, ok)
	}
}

// Deletes take part in the order that Newer tells, under either kind of merge.
func TestNewerAndDelete(t *testing.T) {
	newer := func(waiting, arriving int) bool { return arriving > waiting }
	tests := []struct {
		name        string
		merge       func(waiting, arriving int) int
		first, then Arrival[string, int]
		op          Op
		value       int
	}{
		{"a late delete is stale", nil, Arrival[string, int]{Value: 5}, Arrival[string, int]{Value: 4, Op: Delete}, Upsert, 5},
		{"a late value is stale", nil, Arrival[string, int]{Value: 5, Op: Delete}, Arrival[string, int]{Value: 4}, Delete, 5},
		{"a late delete was first", Sum[int], Arrival[string, int]{Value: 5}, Arrival[string, int]{Value: 4, Op: Delete}, Replace, 5},
		{"a late value was deleted", Sum[int], Arrival[string, int]{Value: 5, Op: Delete}, Arrival[string, int]{Value: 4}, Delete, 5},
		{"a new value replaces", Sum[int], Arrival[string, int]{Value: 5, Op: Delete}, Arrival[string, int]{Value: 6}, Replace, 6},
	}
	for _, test := range tests {
		c := mustNew(t, Options[string, int]{Merge: test.merge, Newer: newer})
		c.Admit(test.first)
		c.Admit(test.then)
		if e, _ := c.TryTake(); e.Op != test.op || e.Value != test.value {
			t.Errorf("%s: took %v %d, want %v %d", test.name, e.Op, e.Value, test.op, test.value)
		}
	}
}

// Append neither asks Newer nor is asked about.
func TestAppendIgnoresNewer(t *testing.T) {
	c := mustNew(t, Options[string, string]{Newer: func(waiting, arriving string) bool { return arriving > waiting }})
	c.Put("k", "m")
	c.Append("k", "a") // older, but a trade
	c.Put("k", "b")    // older than m, which waits in front of the trade
	c.Put("k", "n")
	c.Put("k", "c")
	if got := line(c); got != "upsert m, append a, upsert n" {
		t.Errorf("%s waits", got)
	}
	if l := c.Ledger(); l.Stale != 2 || l.Check() != nil {
		t.Errorf("ledger %+v", l)
	}
	takeAll(c)
	c.Append("k", "z")
	e, _ := c.TryTake()
	c.Put("k", "a") // z is leased, and does not count
	c.Done(e)
	if got := line(c); got != "upsert a" {
		t.Errorf("%s waits", got)
	}
}

package cache

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A returned entry is the first of its line again, and joins the next one
// unless one of the two was appended.
func TestReturnIntoALine(t *testing.T) {
	tests := []struct {
		name       string
		before     Op // of the one that is returned
		after      []Op
		want       string
		joined     uint64
		wantMerged int
	}{
		{"nothing waits", Upsert, nil, "upsert r", 0, 0},
		{"one waits", Upsert, []Op{Upsert}, "upsert ra", 1, 1},
		{"it is sealed", Upsert, []Op{Upsert, Append}, "upsert ra, append b", 1, 1},
		{"an appended one waits", Upsert, []Op{Append, Upsert}, "upsert r, append a, upsert b", 0, 0},
		{"it was appended", Append, []Op{Upsert, Append, Upsert}, "append r, upsert a, append b, upsert c", 0, 0},
		{"a delete waits", Insert, []Op{Delete}, "delete a", 1, 1},
		{"a delete is returned", Delete, []Op{Insert, Append}, "replace a, append b", 1, 1},
	}
	for _, test := range tests {
		c := mustNew(t, Options[string, string]{Merge: Sum[string], Annihilate: true, MaxEntries: 3})
		c.Admit(Arrival[string, string]{Key: "k", Value: "r", Op: test.before})
		e, _ := c.TryTake()
		for i, op := range test.after {
			c.Admit(Arrival[string, string]{Key: "k", Value: string(rune('a' + i)), Op: op})
		}
		c.Close() // it fits all the same
		c.Return(e, 0)
		if got := line(c); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		if l := c.Ledger(); l.Joined != test.joined || l.Check() != nil {
			t.Errorf("%s: ledger %+v", test.name, l)
		}
		again, _ := c.TryTake()
		if again.Attempts != 2 || again.Merged != test.wantMerged {
			t.Errorf("%s: %d attempts, %d merged, want 2 and %d", test.name, again.Attempts, again.Merged, test.wantMerged)
		}
	}
}

// A line leaves in the order it came, whatever its stamps and however often
// its entries are returned, in step with the other keys.
func TestALineKeepsItsOrder(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	base := time.Now()
	at := func(ms int) time.Time { return base.Add(time.Duration(ms) * time.Millisecond) }
	for i, ms := range []int{10, 30, 20} { // the last is late
		c.Admit(Arrival[string, int]{Key: "a", Value: i, Op: Append, At: at(ms)})
	}
	c.PutAt("b", 10, at(15))
	c.PutAt("c", 11, at(35))
	want := []int{0, 10, 1, 2, 11}
	var all []int
	for e := range c.All() {
		all = append(all, e.Value)
	}
	if !slices.Equal(all, want) {
		t.Errorf("All = %v, want %v", all, want)
	}
	var got []int
	for returned := false; ; returned = !returned {
		e, ok := c.TryTake()
		if !ok {
			break
		}
		if !returned {
			c.Return(e, 0) // and comes next
			continue
		}
		if e.Attempts != 2 {
			t.Errorf("%d: %d attempts, want 2", e.Value, e.Attempts)
		}
		got = append(got, e.Value)
		c.Done(e)
	}
	if !slices.Equal(got, want) {
		t.Errorf("took %v, want %v", got, want)
	}
}

// A back-off of the first holds the whole line.
func TestBackOffHoldsTheLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		c.Append("a", 1)
		c.Append("a", 2)
		e, _ := c.TryTake()
		c.Return(e, time.Second)
		c.Append("a", 3)
		if _, ok := c.TryTake(); ok {
			t.Error("took one of a line in back-off")
		}
		time.Sleep(time.Second)
		for want := 1; want <= 3; want++ {
			if e, _ := c.TryTake(); e.Value != want {
				t.Errorf("took %d, want %d", e.Value, want)
			} else {
				c.Done(e)
			}
		}
	})
}

// Return takes the value and the operation that the entry has by then.
func TestReturnOfAChangedEntry(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.Put("a", 1)
	e, _ := c.TryTake()
	e.Value, e.Op = 7, Replace
	c.Return(e, 0)
	if e, _ := c.TryTake(); e.Value != 7 || e.Op != Replace {
		t.Errorf("took %v %d, want the replace of 7", e.Op, e.Value)
	}
}

// SizeOf may panic as Merge may, also when nothing is merged.
func TestReturnWhoseSizeOfPanics(t *testing.T) {
	c := mustNew(t, Options[string, int]{SizeOf: func(_ string, v int) int64 {
		if v < 0 {
			panic("no")
		}
		return 1
	}})
	c.Put("a", 1)
	e, _ := c.TryTake()
	c.Append("a", 2)
	e.Value = -1
	func() {
		defer func() {
			if recover() != "no" {
				t.Error("the panic did not reach the caller")
			}
		}()
		c.Return(e, 0)
	}()
	if l := c.Ledger(); l.Dead != 1 || l.Leased != 0 || l.Bytes != 1 || l.Check() != nil {
		t.Errorf("ledger %+v", l)
	}
	if next, ok := c.TryTake(); !ok || next.Value != 2 {
		t.Errorf("took %+v, %v, want what waited", next, ok)
	}
}

// The longest back-off there is does not come round to the past.
func TestReturnForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		time.Sleep(time.Second)
		c.Put("a", 1)
		e, _ := c.TryTake()
		c.Return(e, 1<<63-1)
		time.Sleep(time.Hour)
		if got := c.Eligible(); got != 0 {
			t.Errorf("%d eligible, want 0", got)
		}
	})
}

// The returned one is the older one under a merge that replaces, whatever its
// consumer has made of it.
func TestReturnOfAChangedEntryIsStillOlder(t *testing.T) {
	c := mustNew(t, Options[string, int]{Newer: func(waiting, arriving int) bool { return arriving > waiting }})
	c.Put("a", 5)
	e, _ := c.TryTake()
	c.Put("a", 6)
	e.Value = 9
	c.Return(e, 0)
	if v, _ := c.Get("a"); v != 6 {
		t.Errorf("%d waits, want 6", v)
	}
}

// The count of attempts stops; it used to begin again at 0.
func TestAttemptsStop(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	c.Put("a", 1)
	var e Entry[string, int]
	for range mostAttempts + 2 {
		e, _ = c.TryTake()
		c.Return(e, 0)
	}
	e, _ = c.TryTake()
	if e.Attempts != mostAttempts {
		t.Errorf("%d attempts, want %d", e.Attempts, mostAttempts)
	}
	e.Attempts = 1 << 16 // by the consumer
	c.Return(e, 0)
	if e, _ = c.TryTake(); e.Attempts != mostAttempts {
		t.Errorf("%d attempts, want %d", e.Attempts, mostAttempts)
	}
	one := item[int]{attempts: mostAttempts - 1}
	if one.join(&item[int]{attempts: 2}); one.attempts != mostAttempts {
		t.Errorf("%d attempts of two entries, want %d", one.attempts, mostAttempts)
	}
}

package cache

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
)

// sized is an option that measures a value by itself.
func sized(_ string, v int) int64 { return int64(v) }

func TestMaxBytes(t *testing.T) {
	c := mustNew(t, Options[string, int]{MaxBytes: 10, SizeOf: sized})
	steps := []struct {
		what  string
		put   func(string, int) error
		key   string
		size  int
		want  error
		bytes int64
	}{
		{"a lone entry fits whatever its size", c.Put, "a", 12, nil, 12},
		{"another does not", c.Put, "b", 1, ErrFull, 12},
		{"an update is measured again", c.Put, "a", 4, nil, 4},
		{"up to the bound", c.Put, "b", 6, nil, 10},
		{"not over it", c.Put, "c", 1, ErrFull, 10},
		{"but of no size", c.Put, "c", 0, nil, 10},
		{"an update fits over it", c.Put, "b", 9, nil, 13},
		{"a delete always fits", c.Delete, "d", 5, nil, 18},
		{"and so does an appended value", c.Append, "a", 3, nil, 21},
	}
	for _, step := range steps {
		if err := step.put(step.key, step.size); !errors.Is(err, step.want) {
			t.Errorf("%s: %v, want %v", step.what, err, step.want)
		}
		if l := c.Ledger(); l.Bytes != step.bytes || l.Check() != nil {
			t.Errorf("%s: %d bytes, want %d", step.what, l.Bytes, step.bytes)
		}
	}
	takeAll(c)
	if l := c.Ledger(); l.Bytes != 0 || l.Waiting != 0 {
		t.Errorf("%d bytes of %d entries are left", l.Bytes, l.Waiting)
	}
}

// SizeOf without a bound measures all the same.
func TestBytesWithoutABound(t *testing.T) {
	c := mustNew(t, Options[string, int]{SizeOf: sized})
	c.Put("a", 3)
	c.Put("b", 4)
	c.Put("a", 5)
	if got := c.Ledger().Bytes; got != 9 {
		t.Errorf("%d bytes, want 9", got)
	}
}

// A returned entry fits, and is measured again with what it joins.
func TestReturnIsMeasuredAgain(t *testing.T) {
	c := mustNew(t, Options[string, int]{MaxBytes: 10, SizeOf: sized, Merge: Sum[int]})
	c.Put("a", 6)
	a, _ := c.TryTake()
	c.Put("a", 5)
	c.Put("b", 5)
	if !c.Return(a, 0) || c.Ledger().Bytes != 16 {
		t.Errorf("%d bytes, want 16", c.Ledger().Bytes)
	}
	b, _ := c.TryTake()
	b.Value = 7
	if !c.Return(b, 0) || c.Ledger().Bytes != 12 {
		t.Errorf("%d bytes, want 12: the value given back", c.Ledger().Bytes)
	}
}

// A delete fits at either bound, whatever the overflow, evicts nothing, and
// does not wait behind those who wait for room.
func TestDeleteAlwaysFits(t *testing.T) {
	for _, overflow := range []Overflow{Wait, Reject, EvictOldest} {
		synctest.Test(t, func(t *testing.T) {
			c := mustNew(t, Options[string, int]{MaxEntries: 2, MaxBytes: 2, SizeOf: sized, Overflow: overflow})
			c.Put("a", 1)
			c.Put("b", 1)
			ctx, cancel := context.WithCancel(t.Context())
			if overflow == Wait {
				go c.PutWait(ctx, "c", 1)
				synctest.Wait()
			}
			if err := c.Delete("d", 1); err != nil {
				t.Errorf("Delete: %v", err)
			}
			if _, err := c.AdmitWait(t.Context(), Arrival[string, int]{Key: "e", Value: 1, Op: Delete}); err != nil {
				t.Errorf("AdmitWait of a delete: %v", err)
			}
			if l := c.Ledger(); l.Waiting != 4 || l.Evicted != 0 || l.Bytes != 4 {
				t.Errorf("ledger %+v", l)
			}
			cancel()
		})
	}
}

// What cannot be evicted stays, and when there is nothing else a new entry is
// refused.
func TestEvictOldestNeverDropsWhatHasNoSuccessor(t *testing.T) {
	c := mustNew(t, Options[string, int]{MaxEntries: 5, Overflow: EvictOldest})
	c.Delete("delete", 1)
	c.Delete("replace", 1)
	c.Put("replace", 1)
	c.Append("append", 1)
	c.Put("append", 2) // behind it, and so not the first of its line
	c.Put("upsert", 1)
	if err := c.Put("last", 1); err != nil { // upsert goes
		t.Errorf("with one to evict: %v", err)
	}
	c.Delete("last", 1)
	if err := c.Put("one more", 1); !errors.Is(err, ErrFull) {
		t.Errorf("with nothing to evict: %v, want ErrFull", err)
	}
	if err := c.Append("append", 3); !errors.Is(err, ErrFull) {
		t.Errorf("an appended value: %v, want ErrFull", err)
	}
	if got, want := takeAll(c), []string{"delete", "replace", "append", "append", "last"}; !slices.Equal(got, want) {
		t.Errorf("took %v, want %v", got, want)
	}
	if l := c.Ledger(); l.Evicted != 1 || l.Check() != nil {
		t.Errorf("ledger %+v", l)
	}
}

// MaxBytes may need the room of many, and of no more than that.
func TestEvictOldestForBytes(t *testing.T) {
	var dropped []string
	c := mustNew(t, Options[string, int]{
		MaxBytes: 10, SizeOf: sized, Merge: Sum[int], Overflow: EvictOldest,
		OnDrop: func(e Entry[string, int], _ Reason) { dropped = append(dropped, e.Key) },
	})
	for _, key := range []string{"a", "b", "c", "d"} {
		c.Put(key, 2)
	}
	c.Put("e", 5) // 13: a and b go
	if want := []string{"a", "b"}; !slices.Equal(dropped, want) {
		t.Errorf("a new entry: dropped %v, want %v", dropped, want)
	}
	c.Put("e", 3) // 12: c goes
	if want := []string{"a", "b", "c"}; !slices.Equal(dropped, want) {
		t.Errorf("an update: dropped %v, want %v", dropped, want)
	}
	c.Put("e", 100) // d goes, and the update stays alone
	if v, _ := c.Get("e"); v != 108 || c.Len() != 1 {
		t.Errorf("%d waits among %d, want 108 alone", v, c.Len())
	}
	c.Append("f", 100) // of no concern to MaxBytes
	if c.Len() != 2 {
		t.Errorf("%d entries wait, want 2", c.Len())
	}
	if l := c.Ledger(); l.Evicted != 4 || l.Bytes != 208 || l.Check() != nil {
		t.Errorf("ledger %+v", l)
	}
}

// The entry that is updated may be the oldest itself.
func TestUpdateMayEvictItself(t *testing.T) {
	c := mustNew(t, Options[string, int]{MaxBytes: 10, SizeOf: sized, Overflow: EvictOldest})
	c.Put("a", 5)
	c.Put("b", 5)
	if err := c.Put("a", 6); err != nil {
		t.Errorf("an update: %v", err)
	}
	if got := takeAll(c); !slices.Equal(got, []string{"b"}) {
		t.Errorf("took %v, want b", got)
	}
	if l := c.Ledger(); l.Evicted != 1 || l.Merged != 1 || l.Check() != nil {
		t.Errorf("ledger %+v", l)
	}
}

// MaxBytes does not bound appended values, also not one that waits for room.
func TestAppendWaitsForMaxEntriesOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 2, MaxBytes: 10, SizeOf: sized})
		c.Put("a", 4)
		c.Put("b", 9) // refused
		c.Append("b", 20)
		errs := make(chan error, 1)
		go func() {
			_, err := c.AdmitWait(t.Context(), Arrival[string, int]{Key: "b", Value: 20, Op: Append})
			errs <- err
		}()
		synctest.Wait()
		if len(errs) > 0 {
			t.Error("MaxEntries does not bound appended values")
		}
		c.TryTake() // 20 bytes wait still
		synctest.Wait()
		if len(errs) == 0 {
			t.Error("an appended value waits for bytes")
		}
	})
}

// Puts get room in the order they came, though a smaller one would fit.
func TestPutWaitForBytesKeepsItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxBytes: 10, SizeOf: sized})
		c.Put("a", 5)
		c.Put("b", 5)
		go c.PutWait(t.Context(), "c", 8)
		synctest.Wait()
		c.TryTake()
		synctest.Wait()
		if err := c.Put("d", 1); !errors.Is(err, ErrFull) {
			t.Errorf("a newcomer: %v, want ErrFull", err)
		}
		c.TryTake()
		synctest.Wait()
		if _, ok := c.Get("c"); !ok {
			t.Error("c still waits for room")
		}
	})
}

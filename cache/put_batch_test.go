package cache

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

type arrival = Arrival[string, int]

// batchOf makes a batch of the values 1, 2 ... of the keys given.
func batchOf(keys ...string) []arrival {
	batch := make([]arrival, len(keys))
	for i, key := range keys {
		batch[i] = arrival{Key: key, Value: i + 1}
	}
	return batch
}

// admits expects what a batch returns.
func admits[K comparable](t *testing.T, c *Cache[K, int], ctx context.Context, batch []Arrival[K, int], want int, wantErr error) {
	t.Helper()
	n, _, err := c.AdmitBatch(ctx, batch)
	if n != want || !errors.Is(err, wantErr) {
		t.Errorf("admitted %d, %v, want %d, %v", n, err, want, wantErr)
	}
	if err := c.Ledger().Check(); err != nil {
		t.Error(err)
	}
}

// A batch does what its values do one by one, those of them that need more than
// a place or a merge included.
func TestAdmitBatchCarriesAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var diary []string
		base := time.Now()
		time.Sleep(time.Minute)
		at := func(s int) time.Time { return base.Add(time.Duration(s) * time.Second) }
		c := mustNew(t, Options[string, int]{Merge: Sum[int]})
		admits(t, c, t.Context(), []arrival{
			{Key: "a", Value: 1, At: at(30), Sequence: 7},
			{Key: "a", Value: 2, At: at(40), Sequence: 5}, // merges
			{Key: "b", Value: 3, At: at(10), Receipt: &stub{name: "b", diary: &diary}},
			{Key: "b", Value: 4, At: at(20)}, // onto a receipt
			{Key: "c", Value: 5, Op: Delete}, // now
			{Key: "c", Value: 6},
			{Key: "d", Value: 7, Op: Append, At: at(50)},
			{Key: "d", Value: 8, At: at(55)},
		}, 8, nil)
		var got []string
		for range 5 {
			e, _ := c.TryTake()
			got = append(got, fmt.Sprintf("%s %d %v %d %d %d %v %v", e.Key, e.Value, e.Op, e.Merged, e.First, e.Last, e.Inserted().Sub(base), e.Newest().Sub(base)))
			c.Done(e)
		}
		want := []string{
			"b 7 upsert 1 0 0 10s 20s", "a 3 upsert 1 5 7 30s 40s", "d 7 append 0 0 0 50s 50s",
			"d 8 upsert 0 0 0 55s 55s", "c 6 replace 1 0 0 1m0s 1m0s",
		}
		if !slices.Equal(got, want) {
			t.Errorf("took\n%q, want\n%q", got, want)
		}
		if !slices.Equal(diary, []string{"b acked"}) {
			t.Errorf("receipts: %v", diary)
		}
		if l := c.Ledger(); l != (Ledger{Puts: 8, Inserted: 5, Merged: 3, Done: 5}) {
			t.Errorf("ledger %+v", l)
		}
	})
}

func TestAdmitBatchOfNothing(t *testing.T) {
	c := mustNew(t, Options[string, int]{})
	admits(t, c, ended(), nil, 0, nil)
	if l := c.Ledger(); l != (Ledger{}) {
		t.Errorf("ledger %+v", l)
	}
}

// Values without a time share one reading of the clock, and one that follows a
// value with a time has the present one.
func TestAdmitBatchReadsTheClockOnce(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	batch := make([]Arrival[int, int], 1000)
	for i := range batch {
		batch[i].Key = i
	}
	batch[len(batch)-1].Op = Delete // the slow way
	early := time.Now()
	admits(t, c, t.Context(), batch, len(batch), nil)
	first, _ := c.TryTake()
	for e := range c.All() {
		if !e.Inserted().Equal(first.Inserted()) {
			t.Fatalf("key %d is %v after the first", e.Key, e.Inserted().Sub(first.Inserted()))
		}
	}
	takeAll(c)
	c.Done(first)
	past := early.Add(-time.Hour)
	admits(t, c, t.Context(), []Arrival[int, int]{{Key: 1, At: past}, {Key: 2}, {Key: 3}}, 3, nil)
	for i, key := range []int{1, 2, 3} {
		e, _ := c.TryTake()
		if e.Key != key || (i == 0) != e.Inserted().Equal(past) || i > 0 && e.Inserted().Before(early) {
			t.Errorf("took %d of %v", e.Key, e.Inserted())
		}
	}
}

func TestAdmitBatchEndsAtAnError(t *testing.T) {
	for overflow, want := range map[Overflow]error{Wait: context.Canceled, Reject: ErrFull} {
		c := mustNew(t, Options[string, int]{MaxEntries: 2, Overflow: overflow})
		admits(t, c, ended(), batchOf("a", "b", "a", "c", "a"), 3, want)
		if l := c.Ledger(); l != (Ledger{Puts: 4, Inserted: 2, Merged: 1, Rejected: 1, Waiting: 2}) {
			t.Errorf("ledger %+v", l)
		}
		c.Close()
		admits(t, c, ended(), batchOf("a", "d"), 0, ErrClosed)
		if v, _ := c.Get("a"); v != 3 {
			t.Errorf("%d waits, want 3", v)
		}
	}
}

func TestAdmitBatchEvicts(t *testing.T) {
	var evicted []string
	c := mustNew(t, Options[string, int]{MaxEntries: 2, Overflow: EvictOldest, OnDrop: func(e Entry[string, int], r Reason) {
		evicted = append(evicted, e.Key)
	}})
	admits(t, c, ended(), batchOf("a", "b", "c", "b", "d"), 5, nil)
	if want := []string{"a", "b"}; !slices.Equal(evicted, want) {
		t.Errorf("evicted %v, want %v", evicted, want)
	}
}

// A batch larger than the cache goes in as room is made, and tells how long
// that took in all.
func TestAdmitBatchWaitsForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 2})
		var got []int
		var taken sync.WaitGroup
		taken.Go(func() {
			for range 4 {
				time.Sleep(time.Second)
				e, _ := c.TryTake()
				got = append(got, e.Value)
				c.Done(e)
			}
		})
		n, waited, err := c.AdmitBatch(t.Context(), batchOf("a", "b", "b", "c", "d", "d"))
		if n != 6 || waited != 2*time.Second || err != nil {
			t.Errorf("admitted %d in %v, %v, want 6 in 2s", n, waited, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		if n, waited, err = c.AdmitBatch(ctx, batchOf("c", "d", "e")); n != 2 || waited != 500*time.Millisecond || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("admitted %d in %v, %v, want 2 in 500ms", n, waited, err)
		}
		taken.Wait()
		if want := []int{1, 3, 1, 2}; !slices.Equal(got, want) {
			t.Errorf("took %v, want %v", got, want)
		}
	})
}

// Those who wait for room have it before a batch that comes later.
func TestAdmitBatchDoesNotOvertake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 1})
		c.Put("a", 0)
		go c.PutWait(t.Context(), "b", 0)
		synctest.Wait()
		c.mu.Lock() // the taker's turn, the batch's, and only then that of the one who is woken
		go func() { admits(t, c, ended(), batchOf("c"), 0, context.Canceled) }()
		c.lease(c.eligible.min(), new(Entry[string, int]), 0, time.Time{})
		c.unlock()
		synctest.Wait()
		if v, ok := c.Get("b"); !ok {
			t.Errorf("Get(b) = %d, %v", v, ok)
		}
	})
}

// One batch wakes as many takers as it has entries for.
func TestAdmitBatchWakesTakers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		var taken sync.WaitGroup
		for range 3 {
			taken.Go(func() { c.Take(t.Context()) })
		}
		synctest.Wait()
		admits(t, c, t.Context(), batchOf("a", "b", "c"), 3, nil)
		taken.Wait() // else the bubble is stuck
	})
}

// What came before a value whose merge panics is in the cache, and the lock is
// free.
func TestAdmitBatchWhoseMergePanics(t *testing.T) {
	sum := func(waiting, arriving int) int {
		if arriving == 4 {
			panic("no")
		}
		return waiting + arriving
	}
	for name, o := range map[string]Options[string, int]{
		"the quick way": {Merge: sum},
		"the slow way":  {Merge: sum, SizeOf: sized},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := mustNew(t, o)
			took := make(chan int, 1)
			go func() {
				e, _ := c.Take(t.Context())
				took <- e.Value
			}()
			synctest.Wait()
			func() {
				defer func() {
					if r := recover(); r != "no" {
						t.Errorf("%s: recovered %v", name, r)
					}
				}()
				c.AdmitBatch(t.Context(), batchOf("a", "b", "b", "b", "c"))
			}()
			<-took // a taker was woken all the same
			v, _ := c.Get("b")
			if l := c.Ledger(); v != 5 || l.Puts != 3 || l.Merged != 1 || l.Check() != nil {
				t.Errorf("%s: %d waits, ledger %+v", name, v, l)
			}
		})
	}
}

// A key that cannot be hashed is no excuse for not telling how many values
// before it are in. They used to be admitted twice.
func TestAdmitBatchWithKeysThatCannotBeHashed(t *testing.T) {
	c := mustNew(t, Options[any, int]{})
	batch := []Arrival[any, int]{{Key: 1}, {Key: "one"}, {Key: 1}, {Key: []int{1}}, {Key: 2}, {Key: math.NaN()}, {Key: 3}}
	admits(t, c, t.Context(), batch, 3, nil)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		c.AdmitBatch(t.Context(), batch[3:])
	}()
	admits(t, c, t.Context(), batch[4:], 1, ErrKey)
	admits(t, c, t.Context(), batch[6:], 1, nil)
	if l := c.Ledger(); l != (Ledger{Puts: 6, Inserted: 4, Merged: 1, Rejected: 1, Waiting: 4}) {
		t.Errorf("ledger %+v", l)
	}
}

// A batch of one tells how long it waited, too.
func TestAdmitBatchOfOneTellsHowLongItWaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{MaxEntries: 1})
		c.Put("a", 1)
		go func() {
			time.Sleep(time.Second)
			c.TryTake()
		}()
		if n, waited, err := c.AdmitBatch(t.Context(), batchOf("b")); n != 1 || waited != time.Second || err != nil {
			t.Errorf("admitted %d in %v, %v, want 1 in 1s", n, waited, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if n, waited, err := c.AdmitBatch(ctx, batchOf("c")); n != 0 || waited != time.Minute || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("in vain: admitted %d in %v, %v, want 0 in 1m", n, waited, err)
		}
	})
}

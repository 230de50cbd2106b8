package cachetest

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
)

func newCache(o Options) (Cache, error) { return cache.New(o) }

func TestTheOriginalConforms(t *testing.T) { Run(t, newCache) }

// recorder notes what a run says.
type recorder struct{ said []string }

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// broken are wrappers of the original that do one thing wrong.
type (
	original    = *cache.Cache[string, string]
	newestFirst struct{ original }
	doneTwice   struct{ original }
	noBackOff   struct{ original }
	deleteIsPut struct{ original }
	appendIsPut struct{ original }
	insertIsPut struct{ original }
	deaf        struct{ original }
	unclosed    struct{ original }
	miscounting struct{ original }
	unordered   struct{ original }
	impatient   struct{ original }
	forgetful   struct{ original }
	timeless    struct{ original }
	unreceipted struct{ original }
	revoking    struct{ original }
	shortBatch  struct{ original }
	takesLater  struct{ original }
)

func (c newestFirst) TryTake() (last Entry, ok bool) {
	var others []Entry
	for e, more := c.original.TryTake(); more; e, more = c.original.TryTake() {
		if ok {
			others = append(others, last)
		}
		last, ok = e, true
	}
	for _, e := range others {
		c.original.Return(e, 0)
	}
	return last, ok
}

func (c doneTwice) Return(e Entry, backoff time.Duration) bool {
	c.original.Return(e, backoff)
	return true
}

func (c noBackOff) Return(e Entry, _ time.Duration) bool { return c.original.Return(e, 0) }

func (c deleteIsPut) Delete(key, value string) error { return c.Put(key, value) }

func (c appendIsPut) Append(key, value string) error { return c.Put(key, value) }

func (c insertIsPut) Admit(a Arrival) error {
	if a.Op == cache.Insert {
		a.Op = cache.Upsert
	}
	return c.original.Admit(a)
}

func (c deaf) Put(key, value string) error {
	c.original.Put(key, value)
	return nil
}

func (c unclosed) Close() {}

func (c miscounting) Ledger() cache.Ledger {
	l := c.original.Ledger()
	l.Merged = 0
	return l
}

func (c unordered) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		var all []Entry
		for e := range c.original.All() {
			all = append(all, e)
		}
		for i := range all {
			if !yield(all[len(all)-1-i]) {
				return
			}
		}
	}
}

func (c impatient) PutWait(_ context.Context, key, value string) error { return c.Put(key, value) }

func (c forgetful) Admit(a Arrival) error {
	a.Sequence = 0
	return c.original.Admit(a)
}

func (c timeless) PutAt(key, value string, _ time.Time) error { return c.Put(key, value) }

func (c unreceipted) Admit(a Arrival) error {
	a.Receipt = nil
	return c.original.Admit(a)
}

func (c revoking) GiveUp(e Entry) bool { return c.Revoke(e) }

func (c shortBatch) AdmitBatch(ctx context.Context, arrivals []Arrival) (int, time.Duration, error) {
	n, waited, err := c.original.AdmitBatch(ctx, arrivals)
	return max(0, n-1), waited, err
}

func (c takesLater) TryTakeBatch(at time.Time, entries []Entry) int {
	return c.original.TryTakeBatch(at.Add(time.Second), entries)
}

// Each of them is found out, by a case or by a random sequence.
func TestBrokenCaches(t *testing.T) {
	for name, wrap := range map[string]func(original) Cache{
		"newestFirst": func(c original) Cache { return newestFirst{c} },
		"doneTwice":   func(c original) Cache { return doneTwice{c} },
		"noBackOff":   func(c original) Cache { return noBackOff{c} },
		"deleteIsPut": func(c original) Cache { return deleteIsPut{c} },
		"appendIsPut": func(c original) Cache { return appendIsPut{c} },
		"insertIsPut": func(c original) Cache { return insertIsPut{c} },
		"deaf":        func(c original) Cache { return deaf{c} },
		"unclosed":    func(c original) Cache { return unclosed{c} },
		"miscounting": func(c original) Cache { return miscounting{c} },
		"unordered":   func(c original) Cache { return unordered{c} },
		"impatient":   func(c original) Cache { return impatient{c} },
		"forgetful":   func(c original) Cache { return forgetful{c} },
		"timeless":    func(c original) Cache { return timeless{c} },
		"unreceipted": func(c original) Cache { return unreceipted{c} },
		"revoking":    func(c original) Cache { return revoking{c} },
		"shortBatch":  func(c original) Cache { return shortBatch{c} },
		"takesLater":  func(c original) Cache { return takesLater{c} },
	} {
		newBroken := func(o Options) (Cache, error) {
			c, err := cache.New(o)
			return wrap(c), err
		}
		var r recorder
		for _, c := range cases {
			synctest.Test(t, func(t *testing.T) { c.run(&r, newBroken) })
		}
		known := len(r.said)
		for seed := range uint64(runs) {
			if len(r.said) > known || known > 0 && seed == 10 {
				break
			}
			synctest.Test(t, func(t *testing.T) { random(&r, newBroken, seed) })
		}
		if len(r.said) == 0 {
			t.Errorf("%s conforms", name)
		}
		t.Logf("%s: %d from the cases, %d from a random sequence", name, known, len(r.said)-known)
	}
}

func TestNewThatFails(t *testing.T) {
	failing := func(Options) (Cache, error) { return nil, cache.ErrFull }
	var r recorder
	synctest.Test(t, func(t *testing.T) {
		cases[0].run(&r, failing)
		random(&r, failing, 0)
	})
	if len(r.said) != 2 {
		t.Errorf("said %q", r.said)
	}
}

package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing/synctest"
	"time"
)

// check compares all that can be seen of the cache with the model.
func (x *machine) check() {
	synctest.Wait()
	x.checkPending()
	if err := x.m.whereabouts(x.ids); err != nil {
		x.fail("model: %v", err)
	}
	if got, want := x.c.Ledger(), x.m.ledger(); got != want {
		x.fail("ledger\n%+v, want\n%+v", got, want)
	}
	if err := x.c.Ledger().Check(); err != nil {
		x.fail("%v", err)
	}
	if !slices.Equal(x.drops, x.m.drops) {
		x.fail("dropped %v, want %v", x.drops, x.m.drops)
	}
	x.checkReads()
	x.checkWaits()
}

// checkPending lets the puts in that the model says have room by now.
func (x *machine) checkPending() {
	n, err := x.m.admitPending()
	for _, p := range x.pending[:n] {
		x.finish(p, err)
	}
	x.pending = x.pending[n:]
	for _, p := range x.pending {
		select {
		case err := <-p.err:
			x.fail("PutWait came back with %v, but there is no room", err)
		default:
		}
	}
}

func (x *machine) checkReads() {
	now := time.Now()
	want := slices.SortedFunc(slices.Values(x.m.waiting), byPosition)
	var got []string
	for e := range x.c.All() {
		got = append(got, show(&e))
	}
	for i, p := range want {
		if len(got) <= i || got[i] != p.show(now) {
			x.fail("All: entry %d of %v, want %s", i, got, p.show(now))
		}
	}
	if len(got) != len(want) || x.c.Len() != len(want) {
		x.fail("All has %d entries, Len = %d, want %d", len(got), x.c.Len(), len(want))
	}
	age := time.Duration(0)
	if len(want) > 0 {
		age = max(0, now.Sub(want[0].at))
	}
	if got := x.c.OldestAge(); got != age {
		x.fail("OldestAge = %v, want %v", got, age)
	}
	if got, want := x.c.Eligible(), len(x.m.eligible(now)); got != want {
		x.fail("Eligible = %d, want %d", got, want)
	}
	for _, key := range []string{"a", "b", "c", "d"} {
		v, ok := x.c.Get(key)
		p := x.m.find(x.m.waiting, key)
		if ok != (p != nil) || ok && !slices.Equal(v.ids, p.value.ids) {
			x.fail("Get(%s) = %v, %v, want %v", key, v, ok, p)
		}
	}
}

// checkWaits asks without waiting what a taker would get.
func (x *machine) checkWaits() {
	var want error
	switch {
	case len(x.m.eligible(time.Now())) > 0:
	case x.m.closed && len(x.m.waiting) == 0 && len(x.m.leased) == 0:
		want = ErrClosed
	default:
		return
	}
	if err := x.c.Wait(context.Background()); !errors.Is(err, want) {
		x.fail("Wait: %v, want %v", err, want)
	}
}

// show writes out all fields of an entry that can be seen.
func show(e *Entry[string, tracked]) string {
	return fmt.Sprintln(e.Key, e.Value, e.Merged, e.Attempts, e.First, e.Last,
		e.Inserted().UnixNano(), e.Newest().UnixNano(), e.Wait(), e.Age(), e.Taken.UnixNano())
}

func (p *plain) show(now time.Time) string {
	return fmt.Sprintln(p.key, p.value, p.merged, p.attempts, p.first, p.last,
		p.at.UnixNano(), p.newest.UnixNano(), max(0, now.Sub(p.at)), max(0, now.Sub(p.newest)), now.UnixNano())
}

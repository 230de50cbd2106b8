package cache

import (
	"context"
	"errors"
	"slices"
	"time"
)

func (x *machine) tryTake(take func() (Entry[string, tracked], bool)) {
	x.m.expire(time.Now())
	want := x.m.eligible(time.Now())
	e, ok := take()
	if ok != (len(want) > 0) {
		x.fail("TryTake = %v, want %v", ok, !ok)
	}
	if ok {
		x.took(e, want[0])
	}
}

func (x *machine) tryTakeBatch() {
	entries := make([]Entry[string, tracked], x.choose("batch", 4))
	x.m.expire(time.Now())
	want := x.m.eligible(time.Now())
	n := x.c.TryTakeBatch(time.Now(), entries)
	if n != min(len(want), len(entries)) {
		x.fail("TryTakeBatch = %d, want %d", n, min(len(want), len(entries)))
	}
	for i, e := range entries[:n] {
		x.took(e, want[i])
	}
}

func (x *machine) takeBatch() {
	entries := make([]Entry[string, tracked], 1+x.choose("batch", 3))
	if len(x.m.eligible(time.Now())) == 0 {
		if _, err := x.c.TakeBatch(ended(), entries); !errors.Is(err, context.Canceled) {
			x.fail("TakeBatch with a cancelled context: %v", err)
		}
		return
	}
	x.m.expire(time.Now())
	want := x.m.eligible(time.Now())
	if len(want) == 0 { // it would wait
		x.eligible()
		return
	}
	n, err := x.c.TakeBatch(context.Background(), entries)
	if err != nil || n != min(len(want), len(entries)) {
		x.fail("TakeBatch = %d, %v, want %d", n, err, min(len(want), len(entries)))
	}
	for i, e := range entries[:n] {
		x.took(e, want[i])
	}
}

func (x *machine) overdue() {
	if got, want := x.c.Overdue(), x.m.overdue(time.Now()) != nil; got != want {
		x.fail("Overdue = %v, want %v", got, want)
	}
}

func (x *machine) tryTakeOverdue() {
	want := x.m.overdue(time.Now())
	e, ok := x.c.TryTakeOverdue()
	if ok != (want != nil) {
		x.fail("TryTakeOverdue = %v, want %v", ok, !ok)
	}
	if ok {
		x.took(e, want)
	}
}

// eligible asks two ways what a taker would get, which drops what is over age.
func (x *machine) eligible() {
	x.m.expire(time.Now())
	want := len(x.m.eligible(time.Now()))
	if got := x.c.Eligible(); got != want {
		x.fail("Eligible = %d, want %d", got, want)
	}
	var wantErr error
	switch {
	case want > 0:
	case x.m.closed && len(x.m.waiting) == 0 && len(x.m.leased) == 0:
		wantErr = ErrClosed
	default:
		return // it would wait
	}
	if err := x.c.Wait(context.Background()); !errors.Is(err, wantErr) {
		x.fail("Wait: %v, want %v", err, wantErr)
	}
}

func (x *machine) took(e Entry[string, tracked], p *plain) {
	x.m.take(p, time.Now())
	if got, want := show(&e), p.show(time.Now()); got != want {
		x.fail("took %s, want %s", got, want)
	}
	x.handles = append(x.handles, handle{e, p, p.lease})
}

// held reports whether the lease of a handle is open.
func (x *machine) held(h handle) bool {
	return slices.Contains(x.m.leased, h.plain) && h.plain.lease == h.lease
}

// handle chooses one of all that were ever taken, mostly a late one.
func (x *machine) handle() (handle, bool) {
	if len(x.handles) == 0 {
		return handle{}, false
	}
	back := x.choose("back", min(8, len(x.handles)))
	return x.handles[len(x.handles)-1-back], true
}

func (x *machine) done() {
	var entries []Entry[string, tracked]
	for range 1 + x.choose("entries", 3) {
		if h, ok := x.handle(); ok {
			if x.held(h) {
				x.m.done(h.plain)
			}
			entries = append(entries, h.entry)
		}
	}
	x.c.Done(entries...)
}

func (x *machine) giveBack(explode bool) {
	h, ok := x.handle()
	if !ok {
		return
	}
	backoff := []time.Duration{-1, 0, 2, 5}[x.choose("backoff", 4)] * time.Millisecond
	held, open := x.held(h), false
	panicked := x.guard(explode, func() { open = x.c.Return(h.entry, backoff) })
	switch {
	case panicked && !held:
		x.fail("Return of an entry that is not leased panicked")
	case panicked:
		x.m.dead(h.plain, h.entry.Taken)
	case held:
		x.m.giveBack(h.plain, time.Now(), backoff)
	}
	if !panicked && open != held {
		x.fail("Return = %v, want %v", open, held)
	}
}

func (x *machine) revoke() {
	h, ok := x.handle()
	if !ok {
		return
	}
	held := x.held(h)
	if held {
		x.m.revoke(h.plain, h.entry.Taken)
	}
	if got := x.c.Revoke(h.entry); got != held {
		x.fail("Revoke = %v, want %v", got, held)
	}
}

func (x *machine) giveUp() {
	h, ok := x.handle()
	if !ok {
		return
	}
	held := x.held(h)
	if held {
		x.m.dead(h.plain, h.entry.Taken)
	}
	if got := x.c.GiveUp(h.entry); got != held {
		x.fail("GiveUp = %v, want %v", got, held)
	}
}

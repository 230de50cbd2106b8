package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing/synctest"
	"time"
)

// machine does the same to a cache and to its model, in a synctest bubble, and
// compares all that can be seen of the two after each step.
type machine struct {
	c      *Cache[string, tracked]
	m      *model
	choose func(what string, n int) int // 0 <= result < n
	fail   func(format string, args ...any)

	ids     int
	stamp   time.Time // the last one
	handles []handle  // all entries ever taken
	pending []pendingPut
	drops   []string

	userMerge bool // else there is no function that could panic
	explode   bool // the next merge panics
}

// handle is an entry that was taken. The same plain entry has one for each
// lease, of which only the last may be open.
type handle struct {
	entry Entry[string, tracked]
	plain *plain
	lease int
}

type pendingPut struct {
	cancel context.CancelFunc
	err    <-chan error
}

var errExplode = errors.New("merge panicked")

// policies are the options that the model tests draw from.
var policies = []string{"latest", "latest with Newer", "list", "list with Newer"}

func newMachine(policy string, choose func(string, int) int, fail func(string, ...any)) *machine {
	x := &machine{choose: choose, fail: fail, stamp: time.Now()}
	x.m = &model{merge: Latest[tracked], settled: make(map[int]string)}
	o := Options[string, tracked]{OnDrop: x.onDrop}
	switch policy {
	case "latest":
		x.m.replaces = true // with a nil Merge: the fast way
	case "latest with Newer":
		x.m.newer, x.m.replaces = higherRank, true
	case "list":
		x.m.merge = concat
	case "list with Newer":
		x.m.merge, x.m.newer = concat, higherRank
	}
	if x.userMerge = policy != "latest"; x.userMerge {
		o.Merge, o.Newer, o.Replaces = x.guarded, x.m.newer, x.m.replaces
	}
	if x.m.max = choose("MaxEntries", 4); x.m.max > 0 {
		x.m.overflow = Overflow(choose("Overflow", 3))
	}
	o.MaxEntries, o.Overflow = x.m.max, x.m.overflow
	c, err := New(o)
	if err != nil {
		fail("New: %v", err)
	}
	x.c = c
	return x
}

func (x *machine) guarded(waiting, arriving tracked) tracked {
	if x.explode {
		panic(errExplode)
	}
	return x.m.merge(waiting, arriving)
}

func (x *machine) onDrop(e Entry[string, tracked], r Reason) {
	x.drops = append(x.drops, fmt.Sprint(e.Key, e.Value, e.Merged, e.Attempts, r))
}

// actions are all steps, by name.
func (x *machine) actions() map[string]func() {
	return map[string]func(){
		"Put":       func() { x.put(x.c.Put, false) },
		"PutAt":     x.putAt,
		"Admit":     x.admit,
		"PutWait":   x.putWait,
		"explode":   func() { x.put(x.c.Put, true) },
		"cancel":    x.cancel,
		"TryTake":   x.tryTake,
		"TakeBatch": x.takeBatch,
		"Done":      x.done,
		"Return":    func() { x.giveBack(false) },
		"implode":   func() { x.giveBack(true) },
		"GiveUp":    x.giveUp,
		"sleep":     func() { time.Sleep(time.Duration(x.choose("ms", 4)) * time.Millisecond) },
		"Close":     x.close,
	}
}

func (x *machine) tender(at time.Time) tender {
	x.ids++
	return tender{
		key:   string(rune('a' + x.choose("key", 4))),
		value: tracked{[]int{x.ids}, x.choose("rank", 4)},
		at:    at,
	}
}

// guard calls f and reports whether it panicked as told.
func (x *machine) guard(explode bool, f func()) (panicked bool) {
	x.explode = explode
	defer func() {
		x.explode = false
		if r := recover(); r != nil {
			if r != errExplode {
				panic(r)
			}
			panicked = true
		}
	}()
	f()
	return false
}

func (x *machine) put(put func(string, tracked) error, explode bool) {
	t := x.tender(time.Now())
	t.explode = explode && x.userMerge
	x.offer(t, func() error { return put(t.key, t.value) })
}

// offer makes a put that does not wait.
func (x *machine) offer(t tender, put func() error) {
	var err error
	panicked := x.guard(t.explode, func() { err = put() })
	want := x.m.put(t)
	if panicked != want.panicked || !errors.Is(err, want.err) {
		x.fail("put %+v: error %v, panicked %v, want %v, %v", t, err, panicked, want.err, want.panicked)
	}
}

// drawStamp makes stamps that repeat, and that come out of order.
func (x *machine) drawStamp() time.Time {
	if ms := x.choose("stamp", 5); ms > 0 {
		x.stamp = time.Now().Add(time.Duration(2-ms) * time.Millisecond)
	}
	return x.stamp
}

func (x *machine) putAt() {
	t := x.tender(x.drawStamp())
	x.offer(t, func() error { return x.c.PutAt(t.key, t.value, t.at) })
}

func (x *machine) admit() {
	t := x.tender(x.drawStamp())
	t.sequence = uint64(x.choose("sequence", 4))
	x.offer(t, func() error {
		return x.c.Admit(Arrival[string, tracked]{Key: t.key, Value: t.value, At: t.at, Sequence: t.sequence})
	})
}

// putWait waits for room in a goroutine, or not at all.
func (x *machine) putWait() {
	t := x.tender(time.Now())
	t.canWait = true
	if x.choose("cancelled", 3) == 0 {
		err, want := x.c.PutWait(ended(), t.key, t.value), x.m.put(t)
		if want.pending {
			x.m.cancelPending(len(x.m.pending) - 1)
			want.err = context.Canceled
		}
		if !errors.Is(err, want.err) {
			x.fail("PutWait with a cancelled context: %v, want %v", err, want.err)
		}
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan error, 1)
	go func() { result <- x.c.PutWait(ctx, t.key, t.value) }()
	synctest.Wait()
	p := pendingPut{cancel, result}
	if want := x.m.put(t); want.pending {
		x.pending = append(x.pending, p)
	} else {
		x.finish(p, want.err)
	}
}

// finish expects that a put has come back.
func (x *machine) finish(p pendingPut, want error) {
	p.cancel()
	select {
	case err := <-p.err:
		if !errors.Is(err, want) {
			x.fail("PutWait: %v, want %v", err, want)
		}
	default:
		x.fail("PutWait still waits, want %v", want)
	}
}

func (x *machine) cancel() {
	if len(x.pending) == 0 {
		return
	}
	i := x.choose("pending", len(x.pending))
	x.pending[i].cancel()
	synctest.Wait()
	x.m.cancelPending(i)
	x.finish(x.pending[i], context.Canceled)
	x.pending = slices.Delete(x.pending, i, i+1)
}

func (x *machine) tryTake() {
	want := x.m.eligible(time.Now())
	e, ok := x.c.TryTake()
	if ok != (len(want) > 0) {
		x.fail("TryTake = %v, want %v", ok, !ok)
	}
	if ok {
		x.took(e, want[0])
	}
}

func (x *machine) takeBatch() {
	want := x.m.eligible(time.Now())
	entries := make([]Entry[string, tracked], 1+x.choose("batch", 3))
	if len(want) == 0 {
		if _, err := x.c.TakeBatch(ended(), entries); !errors.Is(err, context.Canceled) {
			x.fail("TakeBatch with a cancelled context: %v", err)
		}
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

func (x *machine) took(e Entry[string, tracked], p *plain) {
	x.m.take(p)
	if got, want := show(&e), p.show(time.Now()); got != want {
		x.fail("took %s, want %s", got, want)
	}
	x.handles = append(x.handles, handle{e, p, p.attempts})
}

// held reports whether the lease of a handle is open.
func (x *machine) held(h handle) bool {
	return slices.Contains(x.m.leased, h.plain) && h.plain.attempts == h.lease
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
	explode = explode && x.userMerge
	backoff := []time.Duration{-1, 0, 2, 5}[x.choose("backoff", 4)] * time.Millisecond
	held, wantPanic := x.held(h), false
	if held {
		wantPanic = x.m.giveBack(h.plain, time.Now(), backoff, explode)
	}
	var open bool
	if x.guard(explode, func() { open = x.c.Return(h.entry, backoff) }) != wantPanic {
		x.fail("Return: panicked %v, want %v", !wantPanic, wantPanic)
	}
	if !wantPanic && open != held {
		x.fail("Return = %v, want %v", open, held)
	}
}

func (x *machine) giveUp() {
	h, ok := x.handle()
	if !ok {
		return
	}
	held := x.held(h)
	if held {
		x.m.dead(h.plain)
	}
	if got := x.c.GiveUp(h.entry); got != held {
		x.fail("GiveUp = %v, want %v", got, held)
	}
}

// close is made rare, since little happens afterwards.
func (x *machine) close() {
	if x.choose("really", 8) == 7 {
		x.c.Close()
		x.m.closed = true
	}
}

// stop ends the goroutines of the machine.
func (x *machine) stop() {
	x.c.Close()
	synctest.Wait()
}

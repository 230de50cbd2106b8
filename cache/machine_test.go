package cache

import (
	"context"
	"errors"
	"strings"
	"sync"
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
	mu      sync.Mutex
	drops   []string
	acks    []int // values whose receipt was acknowledged
	nacks   []int

	explode string // the user's function that panics
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

var errExplode = errors.New("a user's function panicked")

// policies are the merges that the model tests draw from.
var policies = []string{"latest", "latest with Newer", "list", "list with Newer", "list in place", "list in place with Newer"}

func newMachine(policy string, choose func(string, int) int, fail func(string, ...any)) *machine {
	x := &machine{choose: choose, fail: fail, stamp: time.Now()}
	r := x.drawRules(policy)
	x.m = &model{o: r, settled: make(map[int]string)}
	o := Options[string, tracked]{
		Replaces: r.replaces, Annihilate: r.annihilate,
		MaxEntries: r.max, MaxBytes: r.maxBytes, Overflow: r.overflow,
		MaxAge: r.maxAge, Expiry: r.expiry, OnDrop: x.onDrop,
	}
	switch {
	case strings.Contains(policy, "in place"):
		o.MergeInto = func(waiting, arriving *tracked) {
			was := *waiting
			*waiting = tracked{rank: -1} // for a panic to leave behind
			x.mayExplode("Merge")
			*waiting = r.merge(was, *arriving)
		}
	case policy != "latest":
		o.Merge = func(waiting, arriving tracked) tracked {
			x.mayExplode("Merge")
			return r.merge(waiting, arriving)
		}
	}
	if r.newer != nil {
		o.Newer = func(waiting, arriving tracked) bool {
			x.mayExplode("Newer")
			return r.newer(waiting, arriving)
		}
	}
	if r.headStart != nil {
		o.HeadStart = func(key string, v tracked) time.Duration {
			x.mayExplode("HeadStart")
			return r.headStart(key, v)
		}
	}
	if r.sizeOf != nil {
		o.SizeOf = func(key string, v tracked) int64 {
			x.mayExplode("SizeOf")
			return r.sizeOf(key, v)
		}
	}
	c, err := New(o)
	if err != nil {
		fail("New: %v", err)
	}
	x.c = c
	return x
}

// drawRules chooses the options. The zeros leave everything off.
func (x *machine) drawRules(policy string) rules {
	r := rules{merge: Latest[tracked]}
	switch policy {
	case "latest":
		r.replaces = true // with a nil Merge: the fast way
	case "latest with Newer":
		r.newer, r.replaces = higherRank, true
	case "list", "list in place":
		r.merge = concat
	case "list with Newer", "list in place with Newer":
		r.merge, r.newer = concat, higherRank
	}
	r.max = x.choose("MaxEntries", 4)
	if x.choose("SizeOf", 2) == 1 {
		r.sizeOf = func(key string, v tracked) int64 { return int64(len(key) + v.rank + len(v.ids)) }
		r.maxBytes = []int64{0, 6, 12}[x.choose("MaxBytes", 3)]
	}
	if r.max > 0 || r.maxBytes > 0 {
		r.overflow = Overflow(x.choose("Overflow", 3))
	}
	if x.choose("HeadStart", 2) == 1 {
		r.headStart = func(key string, v tracked) time.Duration {
			return time.Duration(int(key[0]-'a')*v.rank-1) * time.Millisecond
		}
	}
	r.annihilate = x.choose("Annihilate", 2) == 1
	if r.maxAge = time.Duration(x.choose("MaxAge", 3)) * 2 * time.Millisecond; r.maxAge > 0 {
		r.expiry = Expiry(x.choose("Expiry", 2))
	}
	return r
}

func concat(waiting, arriving tracked) tracked {
	ids := append(append([]int(nil), waiting.ids...), arriving.ids...)
	return tracked{ids, max(waiting.rank, arriving.rank)}
}

func higherRank(waiting, arriving tracked) bool { return arriving.rank > waiting.rank }

// onDrop may be called by puts that waited, while the one that made room for
// them reports what it dropped.
func (x *machine) onDrop(e Entry[string, tracked], r Reason) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.drops = append(x.drops, show(&e)+r.String())
}

// slip is the receipt of a value. It notes how it was settled.
type slip struct {
	x  *machine
	id int
}

func (s slip) Ack() bool  { return s.note(&s.x.acks) }
func (s slip) Nack() bool { return s.note(&s.x.nacks) }

func (s slip) note(in *[]int) bool {
	s.x.mu.Lock()
	defer s.x.mu.Unlock()
	*in = append(*in, s.id)
	return true
}

func (x *machine) mayExplode(function string) {
	if x.explode == function {
		panic(errExplode)
	}
}

// guard calls f, in which one of the user's functions panics if it is asked,
// and reports whether it was. It spares the puts that wait: they could ask it
// on goroutines of their own.
func (x *machine) guard(explode bool, f func()) (panicked bool) {
	if !explode || len(x.pending) > 0 {
		f()
		return false
	}
	x.explode = []string{"Merge", "Newer", "HeadStart", "SizeOf"}[x.choose("function", 4)]
	defer func() {
		x.explode = ""
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

// actions are all steps, by name.
func (x *machine) actions() map[string]func() {
	return map[string]func(){
		"Put":            func() { x.put(Upsert, x.c.Put) },
		"PutAt":          x.putAt,
		"Delete":         func() { x.put(Delete, x.c.Delete) },
		"Append":         func() { x.put(Append, x.c.Append) },
		"Admit":          func() { x.admit(false) },
		"explode":        func() { x.admit(true) },
		"AdmitWait":      x.admitWait,
		"AdmitBatch":     func() { x.admitBatch(false) },
		"explodeBatch":   func() { x.admitBatch(true) },
		"cancel":         x.cancel,
		"TryTake":        func() { x.tryTake(x.c.TryTake) },
		"TryTakeBatch":   x.tryTakeBatch,
		"TakeBatch":      x.takeBatch,
		"Overdue":        x.overdue,
		"TryTakeOverdue": x.tryTakeOverdue,
		"Eligible":       x.eligible,
		"Done":           x.done,
		"Return":         func() { x.giveBack(false) },
		"implode":        func() { x.giveBack(true) },
		"GiveUp":         x.giveUp,
		"Revoke":         x.revoke,
		"NackWaiting":    func() { x.c.NackWaiting(); x.m.nackWaiting() },
		"sleep":          func() { time.Sleep(time.Duration(1+x.choose("ms", 3)) * time.Millisecond) },
		"Close":          x.close,
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

// ended is a context that has ended.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

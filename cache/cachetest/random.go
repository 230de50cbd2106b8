package cachetest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
)

// pair is a cache and the original, to which the same is done.
type pair struct {
	reporter
	rng          *rand.Rand
	ours, theirs Cache
	drops        [2][]string
	settled      [2][]string // receipts
	taken        [2][]Entry  // by both, in step
	history      []string
	failed       bool
}

// random does a random sequence of operations, under random options, to both.
func random(r reporter, newCache func(Options) (Cache, error), seed uint64) {
	p := &pair{reporter: r, rng: rand.New(rand.NewPCG(seed, 0))}
	o := p.options()
	var err error
	if p.ours, err = newCache(p.reporting(o, 0)); err != nil {
		r.Errorf("new cache: %v", err)
		return
	}
	original, err := cache.New(p.reporting(o, 1))
	if err != nil {
		r.Errorf("cache.New: %v", err)
		return
	}
	p.theirs = original
	steps := p.steps()
	names := slices.Sorted(maps.Keys(steps))
	for range 100 {
		name := names[p.rng.IntN(len(names))]
		p.history = append(p.history, name)
		steps[name]()
		synctest.Wait()
		if p.compare(); p.failed {
			break
		}
	}
	for _, c := range []Cache{p.ours, p.theirs} {
		(&player{Cache: c, reporter: r}).end()
	}
}

// options draws options. Half of each are off.
func (p *pair) options() Options {
	o := Options{Merge: cache.Sum[string]}
	coin := func() bool { return p.rng.IntN(2) == 0 }
	if coin() {
		o.Newer = func(waiting, arriving string) bool { return arriving[0] > waiting[0] }
		o.Replaces = coin()
	}
	if o.Replaces || coin() {
		o.Merge = nil
	}
	if coin() {
		o.HeadStart = func(_, value string) time.Duration { return time.Duration(value[0]-'0') * time.Millisecond }
	}
	if coin() {
		o.MaxEntries = 1 + p.rng.IntN(4)
	}
	o.SizeOf = func(_, value string) int64 { return int64(len(value)) }
	if coin() {
		o.MaxBytes = 2 + p.rng.Int64N(5)
	}
	if o.MaxEntries+int(o.MaxBytes) > 0 {
		o.Overflow = []cache.Overflow{cache.Reject, cache.EvictOldest}[p.rng.IntN(2)]
	}
	if o.Annihilate = coin(); coin() {
		o.MaxAge = 3 * time.Millisecond
		o.Expiry = []cache.Expiry{cache.EmitNow, cache.Drop}[p.rng.IntN(2)]
	}
	return o
}

func (p *pair) reporting(o Options, side int) Options {
	o.OnDrop = func(e Entry, r cache.Reason) { p.drops[side] = append(p.drops[side], full(e)+r.String()) }
	return o
}

// both does the same to both caches and compares what they return.
func (p *pair) both(do func(c Cache, side int) string) {
	if got, want := do(p.ours, 0), do(p.theirs, 1); got != want {
		p.fail("it returns "+got, want)
	}
}

func (p *pair) fail(got, want string) {
	if !p.failed {
		p.Errorf("after %v:\n\t%s\n\twant %s", p.history, got, want)
	}
	p.failed = true
}

// note adds what was drawn to the history.
func (p *pair) note(what string) { p.history[len(p.history)-1] += what }

func (p *pair) arrival() Arrival {
	a := Arrival{
		Key: string(rune('a' + p.rng.IntN(3))), Value: fmt.Sprint(p.rng.IntN(10)),
		Op: cache.Op(p.rng.IntN(int(cache.Append) + 1)), Sequence: p.rng.Uint64N(5),
		At: time.Now().Add(time.Duration(p.rng.IntN(5)-3) * time.Millisecond),
	}
	p.note(fmt.Sprintf("(%v %s=%s)", a.Op, a.Key, a.Value))
	return a
}

// slip is a receipt that notes how it was settled.
type slip struct {
	name string
	in   *[]string
}

func (s slip) Ack() bool  { *s.in = append(*s.in, s.name+" acked"); return true }
func (s slip) Nack() bool { *s.in = append(*s.in, s.name+" nacked"); return true }

// receipt returns the arrival with a receipt for one of the two caches. It is
// known by the number of the step.
func (p *pair) receipt(a Arrival, side int) Arrival {
	if len(p.history)%2 == 0 {
		a.Receipt = slip{fmt.Sprint(len(p.history)), &p.settled[side]}
	}
	return a
}

// full writes out all that can be seen of an entry.
func full(e Entry) string {
	return fmt.Sprintln(write(e), "merged", e.Merged, "attempts", e.Attempts, "sequences", e.First, e.Last,
		"inserted", e.Inserted().UnixNano(), "newest", e.Newest().UnixNano(), "taken", e.Taken.UnixNano())
}

// show writes out an error: by its sentinel, since a wrapper may add to it.
func show(err error) string {
	for _, sentinel := range []error{cache.ErrFull, cache.ErrClosed, cache.ErrKey} {
		if errors.Is(err, sentinel) {
			return sentinel.Error()
		}
	}
	return fmt.Sprint(err)
}

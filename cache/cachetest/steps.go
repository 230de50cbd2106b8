package cachetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/headrace/headrace/cache"
)

// steps are the operations of a random sequence.
func (p *pair) steps() map[string]func() {
	return map[string]func(){
		"Admit": func() {
			a := p.arrival()
			p.both(func(c Cache, side int) string { return show(c.Admit(p.receipt(a, side))) })
		},
		"AdmitWait": func() {
			a := p.arrival()
			p.both(func(c Cache, side int) string {
				ctx, cancel := soon()
				defer cancel()
				waited, err := c.AdmitWait(ctx, p.receipt(a, side))
				return fmt.Sprint(waited, show(err))
			})
		},
		"Put": func() { a := p.arrival(); p.both(func(c Cache, _ int) string { return show(c.Put(a.Key, a.Value)) }) },
		"PutAt": func() {
			a := p.arrival()
			p.both(func(c Cache, _ int) string { return show(c.PutAt(a.Key, a.Value, a.At)) })
		},
		"Delete": func() {
			a := p.arrival()
			p.both(func(c Cache, _ int) string { return show(c.Delete(a.Key, a.Value)) })
		},
		"Append": func() {
			a := p.arrival()
			p.both(func(c Cache, _ int) string { return show(c.Append(a.Key, a.Value)) })
		},
		"PutWait":    p.putWait,
		"AdmitBatch": p.admitBatch,
		"TryTake":    func() { p.took(func(c Cache) (Entry, bool) { return c.TryTake() }) },
		"Overdue": func() {
			p.both(func(c Cache, _ int) string { return fmt.Sprint(c.Overdue()) })
			p.took(func(c Cache) (Entry, bool) { return c.TryTakeOverdue() })
		},
		"TakeBatch":    p.takeBatch,
		"TryTakeBatch": p.tryTakeBatch,
		"Eligible":     func() { p.both(func(c Cache, _ int) string { return fmt.Sprint(c.Eligible()) }) },
		"Done":         func() { p.end(func(c Cache, e Entry) bool { c.Done(e); return false }) },
		"GiveUp":       func() { p.end(func(c Cache, e Entry) bool { return c.GiveUp(e) }) },
		"Revoke":       func() { p.end(func(c Cache, e Entry) bool { return c.Revoke(e) }) },
		"NackWaiting": func() {
			p.both(func(c Cache, _ int) string { c.NackWaiting(); return "" })
		},
		"Return": func() {
			backoff := time.Duration(p.rng.IntN(3)) * time.Millisecond
			p.end(func(c Cache, e Entry) bool { return c.Return(e, backoff) })
		},
		"sleep": func() { time.Sleep(time.Millisecond) },
	}
}

func (p *pair) putWait() {
	a := p.arrival()
	p.both(func(c Cache, _ int) string {
		ctx, cancel := soon()
		defer cancel()
		return show(c.PutWait(ctx, a.Key, a.Value))
	})
}

// admitBatch admits up to four values.
func (p *pair) admitBatch() {
	arrivals := make([]Arrival, p.rng.IntN(5))
	for i := range arrivals {
		if arrivals[i] = p.arrival(); p.rng.IntN(2) == 0 {
			arrivals[i].Op, arrivals[i].At = cache.Upsert, time.Time{}
		}
	}
	p.both(func(c Cache, side int) string {
		ctx, cancel := soon()
		defer cancel()
		batch := slices.Clone(arrivals)
		if len(batch) > 0 {
			batch[0] = p.receipt(batch[0], side)
		}
		n, waited, err := c.AdmitBatch(ctx, batch)
		return fmt.Sprint(n, waited, show(err))
	})
}

// took takes from both.
func (p *pair) took(take func(Cache) (Entry, bool)) {
	var found [2]bool
	for side, c := range []Cache{p.ours, p.theirs} {
		e, ok := take(c)
		if found[side] = ok; ok {
			p.taken[side] = append(p.taken[side], e)
		}
	}
	if found[0] != found[1] {
		p.fail(fmt.Sprint("it finds an entry: ", found[0]), fmt.Sprint(found[1]))
	}
}

// takeBatch asks first whether there is something to take.
func (p *pair) takeBatch() {
	eligible := 0
	p.both(func(c Cache, _ int) string {
		eligible = c.Eligible()
		return fmt.Sprint(eligible)
	})
	if eligible == 0 {
		return
	}
	ctx, cancel := soon()
	defer cancel()
	size := 1 + p.rng.IntN(3)
	for side, c := range []Cache{p.ours, p.theirs} {
		entries := make([]Entry, size)
		n, err := c.TakeBatch(ctx, entries)
		if err != nil {
			p.fail("TakeBatch: "+err.Error(), "an entry")
			return
		}
		p.taken[side] = append(p.taken[side], entries[:n]...)
	}
}

func (p *pair) tryTakeBatch() {
	size := p.rng.IntN(4)
	p.both(func(c Cache, side int) string {
		entries := make([]Entry, size)
		n := c.TryTakeBatch(time.Now(), entries)
		p.taken[side] = append(p.taken[side], entries[:n]...)
		return fmt.Sprint(n)
	})
}

// end ends a lease that both have given, or has done so already.
func (p *pair) end(end func(Cache, Entry) bool) {
	n := len(p.taken[0])
	if n == 0 {
		return
	}
	i := max(0, n-1-p.rng.IntN(4))
	p.note("(" + write(p.taken[1][i]) + ")")
	if got, want := end(p.ours, p.taken[0][i]), end(p.theirs, p.taken[1][i]); got != want {
		p.fail(fmt.Sprint("the lease was open: ", got), fmt.Sprint(want))
	}
}

// compare compares all that can be seen.
func (p *pair) compare() {
	views := []struct {
		what string
		of   func(c Cache, side int) string
	}{
		{"taken ", func(_ Cache, side int) (s string) {
			taken := p.taken[side]
			for _, e := range taken[max(0, len(taken)-3):] { // no step takes more
				s += full(e)
			}
			return s
		}},
		{"dropped ", func(_ Cache, side int) string { return fmt.Sprint(p.drops[side]) }},
		{"receipts ", func(_ Cache, side int) string {
			slices.Sort(p.settled[side]) // those of one operation in any order
			return fmt.Sprint(p.settled[side])
		}},
		{"Ledger ", func(c Cache, _ int) string { return fmt.Sprintf("%+v", c.Ledger()) }},
		{"All ", func(c Cache, _ int) (s string) {
			for e := range c.All() {
				s += full(e)
			}
			return s
		}},
		{"Len ", func(c Cache, _ int) string { return fmt.Sprint(c.Len()) }},
		{"OldestAge ", func(c Cache, _ int) string { return fmt.Sprint(c.OldestAge()) }},
		{"OldestLease ", func(c Cache, _ int) string { return fmt.Sprint(c.OldestLease()) }},
		{"Get ", func(c Cache, _ int) (s string) {
			for _, key := range []string{"a", "b", "c"} {
				v, ok := c.Get(key)
				s += fmt.Sprint(" ", key, "=", v, ok)
			}
			return s
		}},
	}
	for _, view := range views {
		if got, want := view.of(p.ours, 0), view.of(p.theirs, 1); got != want {
			p.fail(view.what+got, want)
			return
		}
	}
}

package cache

import (
	"fmt"
	"slices"
	"testing/synctest"
	"time"
)

// check compares all that can be seen of the cache with the model, without
// changing anything.
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
	x.checkDrops()
	x.checkReceipts()
	x.checkReads()
	x.checkFree()
}

// checkDrops compares the drops since the last step. They are in order unless
// a put that waited has made some of them.
func (x *machine) checkDrops() {
	if x.m.o.overflow == Wait {
		slices.Sort(x.drops)
		slices.Sort(x.m.drops)
	}
	if !slices.Equal(x.drops, x.m.drops) {
		x.fail("dropped %q, want %q", x.drops, x.m.drops)
	}
	x.drops, x.m.drops = nil, nil
}

// checkReceipts compares the receipts that were settled since the last step.
// The order of those that are settled by one operation is free.
func (x *machine) checkReceipts() {
	for _, all := range []*[]int{&x.acks, &x.m.acks, &x.nacks, &x.m.nacks} {
		slices.Sort(*all)
	}
	if !slices.Equal(x.acks, x.m.acks) || !slices.Equal(x.nacks, x.m.nacks) {
		x.fail("acknowledged %v, refused %v, want %v, %v", x.acks, x.nacks, x.m.acks, x.m.nacks)
	}
	x.acks, x.m.acks, x.nacks, x.m.nacks = nil, nil, nil, nil
}

// checkPending lets the puts in that the model says have room by now.
func (x *machine) checkPending() {
	errs := x.m.admitPending()
	for i, err := range errs {
		x.finish(x.pending[i], err)
	}
	x.pending = x.pending[len(errs):]
	for _, p := range x.pending {
		select {
		case err := <-p.err:
			x.fail("AdmitWait came back with %v, but there is no room", err)
		default:
		}
	}
}

func (x *machine) checkReads() {
	now := time.Now()
	want := x.m.oldestFirst()
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
	if got, want := x.c.OldestLease(), now.Sub(x.m.oldestLease(now)); got != want {
		x.fail("OldestLease = %v, want %v", got, want)
	}
	for _, key := range []string{"a", "b", "c", "d"} {
		v, ok := x.c.Get(key)
		line := x.m.line(key)
		there := len(line) > 0 && line[len(line)-1].op != Delete
		if ok != there || ok && !slices.Equal(v.ids, line[len(line)-1].value.ids) {
			x.fail("Get(%s) = %v, %v, want the last of %v", key, v, ok, line)
		}
	}
}

// checkFree looks inside: no slot is busy after the last entry of its key, and each
// order holds what it should.
func (x *machine) checkFree() {
	keys := make(map[string]bool)
	for _, e := range slices.Concat(x.m.waiting, x.m.leased) {
		keys[e.key] = true
	}
	c := x.c
	if c.busy() != len(keys) || len(c.leases) != len(x.m.leased) {
		x.fail("%d slots and %d leases, want %d and %d", c.busy(), len(c.leases), len(keys), len(x.m.leased))
	}
	eligible := c.eligible.len()
	if c.ages != nil && c.ages.len() != eligible {
		x.fail("%d eligible by age, want %d", c.ages.len(), eligible)
	}
	droppable := 0
	c.slots.each(func(s *slot[string, tracked]) {
		if s.state == ready && s.head.op.droppable() {
			droppable++
		}
	})
	if c.drops != nil && c.drops.len() != droppable {
		x.fail("%d eligible can be dropped, want %d", c.drops.len(), droppable)
	}
}

// show writes out all fields of an entry that can be seen.
func show(e *Entry[string, tracked]) string {
	return fmt.Sprintln(e.Key, e.Value, e.Op, e.Merged, e.Attempts, e.First, e.Last,
		e.Inserted().UnixNano(), e.Newest().UnixNano(), e.Wait(), e.Age(), e.Taken.UnixNano())
}

func (p *plain) show(now time.Time) string {
	return fmt.Sprintln(p.key, p.value, p.op, p.merged, p.attempts, p.first, p.last,
		p.at.UnixNano(), p.newest.UnixNano(), max(0, now.Sub(p.at)), max(0, now.Sub(p.newest)), now.UnixNano())
}

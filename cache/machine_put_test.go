package cache

import (
	"context"
	"errors"
	"slices"
	"testing/synctest"
	"time"
)

func (x *machine) tender(op Op, at time.Time) tender {
	x.ids++
	return tender{
		key:   string(rune('a' + x.choose("key", 4))),
		value: tracked{[]int{x.ids}, x.choose("rank", 4)},
		op:    op,
		at:    at,
	}
}

// arrival draws a tender with all that a source may tell.
func (x *machine) arrival() (tender, Arrival[string, tracked]) {
	t := x.tender(Op(x.choose("op", len(ops))), x.drawStamp())
	t.sequence = uint64(x.choose("sequence", 4))
	a := Arrival[string, tracked]{Key: t.key, Value: t.value, Op: t.op, At: t.at, Sequence: t.sequence}
	if t.receipt = x.choose("receipt", 2) == 1; t.receipt {
		a.Receipt = slip{x, x.ids}
	}
	return t, a
}

// drawStamp makes stamps that repeat, and that come out of order.
func (x *machine) drawStamp() time.Time {
	if ms := x.choose("stamp", 5); ms > 0 {
		x.stamp = time.Now().Add(time.Duration(2-ms) * time.Millisecond)
	}
	return x.stamp
}

// offer makes a put that does not wait. One that panics must leave all as it
// was.
func (x *machine) offer(t tender, explode bool, put func() error) {
	var err error
	if x.guard(explode, func() { err = put() }) {
		x.m.settle("panicked", t.value.ids)
		return
	}
	if want := x.m.put(t); !errors.Is(err, want.err) {
		x.fail("put %+v: error %v, want %v", t, err, want.err)
	}
}

func (x *machine) put(op Op, put func(string, tracked) error) {
	t := x.tender(op, time.Now())
	x.offer(t, false, func() error { return put(t.key, t.value) })
}

func (x *machine) putAt() {
	t := x.tender(Upsert, x.drawStamp())
	x.offer(t, false, func() error { return x.c.PutAt(t.key, t.value, t.at) })
}

func (x *machine) admit(explode bool) {
	t, a := x.arrival()
	x.offer(t, explode, func() error { return x.c.Admit(a) })
}

// admitWait waits for room in a goroutine, or not at all.
func (x *machine) admitWait() {
	t, a := x.arrival()
	t.canWait = true
	if x.choose("cancelled", 3) == 0 {
		_, err := x.c.AdmitWait(ended(), a)
		want := x.m.put(t)
		if want.pending {
			x.m.cancelPending(len(x.m.pending) - 1)
			want.err = context.Canceled
		}
		if !errors.Is(err, want.err) {
			x.fail("AdmitWait of %+v with a cancelled context: %v, want %v", t, err, want.err)
		}
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	result := make(chan error, 1)
	go func() {
		_, err := x.c.AdmitWait(ctx, a)
		result <- err
	}()
	synctest.Wait()
	p := pendingPut{cancel, result}
	if want := x.m.put(t); want.pending {
		x.pending = append(x.pending, p)
	} else {
		x.finish(p, want.err)
	}
}

// admitBatch admits a few values that do not wait for room. Half of the batches
// have no time and nothing rare, as those of the quick way.
func (x *machine) admitBatch(explode bool) {
	var tenders []tender
	var batch []Arrival[string, tracked]
	plain := x.choose("plain", 2) == 0
	for range []int{1, 2, 3, 4, 2*ahead + 1}[x.choose("batch", 5)] {
		t, a := x.arrival()
		if plain {
			t.op, t.at, t.receipt = Upsert, time.Now(), false
			a.Op, a.At, a.Receipt = Upsert, time.Time{}, nil
		}
		t.canWait = true
		tenders, batch = append(tenders, t), append(batch, a)
	}
	var n int
	var err error
	before := x.c.Ledger().Puts
	panicked := x.guard(explode, func() { n, _, err = x.c.AdmitBatch(ended(), batch) })
	if panicked {
		n = int(x.c.Ledger().Puts - before)
	}
	for _, t := range tenders[:n] {
		if want := x.m.put(t); want.pending || want.err != nil {
			x.fail("AdmitBatch admitted %+v, want %+v", t, want)
		}
	}
	tenders = tenders[n:]
	if len(tenders) > 0 && !panicked {
		want := x.m.put(tenders[0])
		if want.pending {
			x.m.cancelPending(len(x.m.pending) - 1)
			want.err = context.Canceled
		}
		if want.err == nil || !errors.Is(err, want.err) {
			x.fail("AdmitBatch ended at %+v: %v, want %v", tenders[0], err, want.err)
		}
		tenders = tenders[1:]
	} else if err != nil {
		x.fail("AdmitBatch admitted all: %v", err)
	}
	for _, t := range tenders {
		x.m.settle("not looked at", t.value.ids)
	}
}

// finish expects that a put has come back.
func (x *machine) finish(p pendingPut, want error) {
	p.cancel()
	select {
	case err := <-p.err:
		if !errors.Is(err, want) {
			x.fail("AdmitWait: %v, want %v", err, want)
		}
	default:
		x.fail("AdmitWait still waits, want %v", want)
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

package pipeline

import (
	"context"
	"errors"
	"iter"
)

// feeder turns deliveries into plain values for a chain, and what comes out
// into deliveries.
type feeder[T, U any] struct {
	source iter.Seq2[Delivery[T], error]
	yield  func(Delivery[U], error) bool
	err    error // that ended the source, if one did
	over   bool  // the loop over the deliveries has ended
	meter  *meter
	burst  *burst
	waits  bool // the chain may: what is at hand for it is not for the region

	out   Delivery[U] // what comes of the delivery that the chain is being fed, all but the value
	share *share      // settles that; nil if it has no receipt
}

func newFeeder[T, U any](ctx context.Context, source Source[T], yield func(Delivery[U], error) bool) *feeder[T, U] {
	f := &feeder[T, U]{source: source(ctx), yield: yield}
	f.meter = meterFor(ctx, f)
	f.burst = burstOf(ctx)
	return f
}

// mayWait says that the chain may wait.
func (f *feeder[T, U]) mayWait() {
	f.waits = true
	if f.burst != nil {
		f.burst.waits = true
	}
}

// feed is the input of the chain. What comes out when it has ended belongs to
// no delivery.
func (f *feeder[T, U]) feed(yield func(T) bool) {
	defer f.unset()
	defer f.burst.pause()
	for d, err := range f.source {
		if err != nil && !errors.Is(err, ErrInvalid) {
			d.nack()
			f.err = err
			return
		}
		f.meter.begin(f)
		f.burst.enter()
		var more bool
		switch {
		case err != nil:
			more = f.pass(Delivery[U]{Receipt: d.Receipt}, err)
		case d.Receipt == nil:
			f.set(&d, nil)
			more = yield(d.Value)
		default:
			more = f.feedHeld(&d, yield)
		}
		over := f.burst.exit()
		if !more {
			return
		}
		if !d.More {
			f.burst.pause()
		}
		f.meter.end(f, d.Bytes)
		if over {
			return
		}
	}
}

// feedHeld feeds the chain a delivery that has a receipt.
func (f *feeder[T, U]) feedHeld(d *Delivery[T], yield func(T) bool) bool {
	s := newShare(d.Receipt) // held until the chain has been fed
	panicked := true
	defer func() {
		f.unset()
		if panicked {
			s.Nack()
		} else {
			s.Ack()
		}
	}()
	f.set(d, s)
	more := yield(d.Value)
	panicked = false
	return more
}

func (f *feeder[T, U]) stamp(d *Delivery[T]) {
	if f.waits {
		d.stamp(nil)
	} else {
		d.stamp(f.burst)
	}
}

// set notes what comes of a delivery that the chain is about to be fed.
func (f *feeder[T, U]) set(d *Delivery[T], s *share) {
	f.stamp(d)
	f.out.At, f.out.Sequence, f.share = d.At, d.Sequence, s
	f.out.More, f.out.rest = d.More && !f.waits, d.rest
}

func (f *feeder[T, U]) unset() {
	f.out, f.share = Delivery[U]{}, nil
}

// emit hands on what came out of the chain.
func (f *feeder[T, U]) emit(u U, err error) bool {
	f.out.Value = u
	if f.share != nil {
		f.out.Receipt = f.share.part()
	}
	if !f.over {
		f.over = !f.yield(f.out, err)
	}
	var zero U
	f.out.Value = zero // the source may wait now
	return !f.over
}

// pass yields, unless the loop over the deliveries has ended.
func (f *feeder[T, U]) pass(d Delivery[U], err error) bool {
	if !f.over {
		f.over = !f.yield(d, err)
	}
	return !f.over
}

// end is called when the chain has ended. It hands on the error of the source.
func (f *feeder[T, U]) end() {
	if f.err != nil {
		f.pass(Delivery[U]{}, f.err)
	}
}

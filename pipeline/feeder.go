package pipeline

import (
	"context"
	"errors"
	"iter"
	"time"
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

	at       time.Time // of the delivery that the chain is being fed, as are these
	sequence uint64
	more     bool
	rest     bool
	share    *share // settles it; nil if it has no receipt
}

func newFeeder[T, U any](ctx context.Context, source Source[T], yield func(Delivery[U], error) bool) *feeder[T, U] {
	f := &feeder[T, U]{source: source(ctx), yield: yield}
	f.meter = meterFor(ctx, f)
	f.burst = burstOf(ctx)
	return f
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
		var more bool
		if err == nil {
			more = f.feedOne(&d, yield)
		} else {
			more = f.pass(Delivery[U]{Receipt: d.Receipt}, err)
		}
		if !more {
			return
		}
		if !d.More {
			f.burst.pause()
		}
		f.meter.end(f, d.Bytes)
	}
}

func (f *feeder[T, U]) feedOne(d *Delivery[T], yield func(T) bool) bool {
	f.stamp(d)
	if d.Receipt == nil {
		f.set(d, nil)
		return yield(d.Value)
	}
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

func (f *feeder[T, U]) set(d *Delivery[T], s *share) {
	f.at, f.sequence, f.share = d.At, d.Sequence, s
	f.more, f.rest = d.More && !f.waits, d.rest
}

func (f *feeder[T, U]) unset() {
	f.at, f.sequence, f.share = time.Time{}, 0, nil
	f.more, f.rest = false, false
}

// emit hands on what came out of the chain.
func (f *feeder[T, U]) emit(u U, err error) bool {
	d := Delivery[U]{Value: u, At: f.at, Sequence: f.sequence, More: f.more, rest: f.rest}
	if f.share != nil {
		d.Receipt = f.share.part()
	}
	return f.pass(d, err)
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

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
	err    error  // that ended the source, if one did
	over   bool   // the loop over the deliveries has ended
	failed bool   // the chain has, with an error
	ended  bool   // it has left its input
	left   int    // values of the last batch that it has not taken
	owed   *share // of the delivery in whose midst it has left its input
	meter  *meter
	before any // who had that
	chains *chains
	waits  bool // the chain may: what comes out is handed on at once

	out      Delivery[U] // what comes of the delivery that the chain is being fed, all but the values
	share    *share      // settles that; nil if it has no receipt
	collects bool        // what comes of a batch
	batch    []U         // what has come of it
}

func newFeeder[T, U any](ctx context.Context, source Source[T], waits bool, yield func(Delivery[U], error) bool) *feeder[T, U] {
	f := &feeder[T, U]{source: source(ctx), yield: yield, waits: waits}
	f.meter, f.before = meterFor(ctx, f)
	f.chains = chainsOf(ctx)
	if waits {
		f.chains.addWaiting(1)
	}
	return f
}

// feed is the input of the chain. What comes out when it has ended belongs to
// no delivery.
func (f *feeder[T, U]) feed(yield func(T) bool) {
	f.begin()
	defer f.leave()
	for d, err := range f.source {
		if err != nil && !errors.Is(err, ErrInvalid) {
			d.nack()
			f.err = err
			return
		}
		f.meter.begin(f)
		more, over := f.deliver(&d, err, yield)
		if !more {
			return
		}
		f.meter.end(f, d.Bytes)
		if over {
			return
		}
	}
}

// begin is called when the chain begins to range over its input, maybe again.
func (f *feeder[T, U]) begin() {
	if f.ended {
		f.ended = false
		f.settle()
		f.chains.repeat()
	}
}

// leave is called when the chain has left its input.
func (f *feeder[T, U]) leave() {
	f.unset()
	if !f.ended { // else one loop over it stands in another
		f.ended = true
		f.chains.enterEnd()
	}
}

// deliver feeds the chain a delivery, or hands on an invalid one. A chain may recover
// from its own panic, and go on.
func (f *feeder[T, U]) deliver(d *Delivery[T], err error, yield func(T) bool) (more, over bool) {
	f.chains.enter()
	defer func() { over = f.chains.exit() }()
	switch {
	case err != nil:
		more = f.pass(Delivery[U]{Receipt: d.Receipt}, err)
	case d.Receipt == nil:
		more = f.feedOne(d, nil, yield)
	default:
		more = f.feedHeld(d, yield)
	}
	return more, over
}

// feedHeld feeds the chain a delivery that has a receipt. That of one in whose midst
// the chain leaves its input is settled when it is known whether it has failed.
func (f *feeder[T, U]) feedHeld(d *Delivery[T], yield func(T) bool) (more bool) {
	s := newShare(d.Receipt) // held until the chain has been fed
	panicked := true
	defer func() {
		f.unset()
		switch {
		case panicked || f.chains.isCut():
			s.Nack()
		case !more:
			f.owed = s
		default:
			s.Ack()
		}
	}()
	more = f.feedOne(d, s, yield)
	panicked = false
	return more
}

// feedOne feeds the chain a delivery whose receipt has that share.
func (f *feeder[T, U]) feedOne(d *Delivery[T], s *share, yield func(T) bool) bool {
	d.stamp()
	f.out.At, f.out.Sequence, f.share = d.At, d.Sequence, s
	if d.Batch == nil {
		return yield(d.Value)
	}
	return f.feedBatch(d.Batch, yield)
}

// feedBatch feeds the chain a batch, and hands on what comes of it.
func (f *feeder[T, U]) feedBatch(values []T, yield func(T) bool) (more bool) {
	fed, panicked := 0, true
	defer func() {
		f.collects = false
		f.chains.exitBatch()
		if f.left = len(values) - fed; panicked || f.chains.isCut() {
			f.lose()
		}
		f.flush()
		more = more && !f.over
	}()
	f.chains.enterBatch()
	f.collects = !f.waits
	more = true
	for more && fed < len(values) {
		fed++
		more = yield(values[fed-1])
	}
	panicked = false
	return more
}

func (f *feeder[T, U]) unset() {
	f.out, f.share = Delivery[U]{}, nil
}

package pipeline

import "errors"

// emit hands on what came out of the chain.
func (f *feeder[T, U]) emit(u U, err error) bool {
	if f.collects {
		if f.batch = append(f.batch, u); len(f.batch) == staged {
			f.flush()
		}
		return !f.over
	}
	f.out.Value = u
	f.emitOut(err)
	var zero U
	f.out.Value = zero // the source may wait now
	return !f.over
}

// flush hands on what has come of a batch.
func (f *feeder[T, U]) flush() {
	if len(f.batch) == 0 {
		return
	}
	defer func() {
		clear(f.batch)
		f.batch, f.out.Batch = f.batch[:0], nil
	}()
	f.out.Batch = f.batch
	f.emitOut(nil)
}

func (f *feeder[T, U]) emitOut(err error) {
	if f.share != nil {
		f.out.Receipt = f.share.part()
	}
	f.failed = f.failed || err != nil && !errors.Is(err, ErrInvalid)
	f.pass(f.out, err)
}

// pass yields, unless the loop over the deliveries has ended. Then what a chain
// yields all the same is lost.
func (f *feeder[T, U]) pass(d Delivery[U], err error) bool {
	if f.over {
		f.chains.lost(d.len())
		d.nack()
		return false
	}
	f.over = !f.yield(d, err)
	return !f.over
}

// end is called when the chain has ended. It hands on the error of the source.
func (f *feeder[T, U]) end() {
	if f.err != nil && !f.over {
		f.pass(Delivery[U]{}, f.err)
	}
	f.over = true
}

// close is called behind the chain, also behind one that has failed.
func (f *feeder[T, U]) close() {
	if f.failed = f.failed || !f.over; f.failed {
		f.lose() // it has left them since it fails, as one does that pulls its input
	}
	f.settle()
	if f.ended {
		f.chains.exitEnd()
	}
	if f.waits {
		f.chains.addWaiting(-1)
	}
	f.meter.giveBack(f.before)
}

// settle settles the delivery in whose midst the chain has left its input.
func (f *feeder[T, U]) settle() {
	s := f.owed
	if s == nil {
		return
	}
	f.owed = nil
	if f.failed {
		s.Nack()
	} else {
		s.Ack()
	}
}

// lose tells that what the chain has left is lost.
func (f *feeder[T, U]) lose() {
	f.chains.lost(f.left)
	f.left = 0
}

package pipeline

import "context"

// chains tells a region of the chains that stand between it and its source, and
// them of it. It belongs to the goroutine of the region. A nil one is that of a
// source that no region ranges over.
type chains struct {
	hold   func()      // marks the region as having something in hand, unless the stop came first
	keep   func()      // does so in any case
	letGo  func()      // marks it as having nothing in hand
	ending func(n int) // tells of n more that a stop gives a moment to end, or less
	lose   func(n int) // counts values that did not pass a chain as rejected

	waiting int  // chains that may wait, also in the midst of a delivery
	within  int  // feeders of whose delivery, or of the end of whose input, more may come
	batches int  // of those, feeders that are feeding a batch
	begun   bool // what is in hand was before the stop, so it goes in to its end
	over    bool // the region wants no other delivery
	cut     bool // it wants nothing more at all: the run has ended, or a chain goes on all the same
}

// chainsKey is the key of the *chains in the context of a source.
type chainsKey struct{}

// chainsOf returns the chains of a context, or nil.
func chainsOf(ctx context.Context) *chains {
	c, _ := ctx.Value(chainsKey{}).(*chains)
	return c
}

// mayWait reports whether a chain behind the source with that context may wait.
func mayWait(ctx context.Context) bool {
	c := chainsOf(ctx)
	return c != nil && c.waiting > 0
}

// addWaiting tells of n more chains that may wait, or less.
func (c *chains) addWaiting(n int) {
	if c != nil {
		c.waiting += n
	}
}

// endsAtStop tells that the source ends when the stop begins. That gives it a moment:
// it may have a last value, and a chain may have held some back. The source calls ended
// when it has.
func (c *chains) endsAtStop() (ended func()) {
	if c == nil {
		return func() {}
	}
	c.ending(1)
	return func() { c.ending(-1) }
}

// enter tells that a chain is about to be fed a delivery.
func (c *chains) enter() {
	if c == nil {
		return
	}
	if c.within++; c.waiting == 0 {
		c.hold()
	}
}

// enterEnd tells that a chain has left its input, and may yield what it has held back.
// A stop waits for that, but only a moment for a chain that may wait.
func (c *chains) enterEnd() {
	if c == nil {
		return
	}
	if c.within++; c.waiting > 0 {
		c.ending(1)
	} else {
		c.keep()
	}
}

// exitEnd tells that it has, or ranges over its input again.
func (c *chains) exitEnd() (over bool) {
	if c != nil && c.waiting > 0 {
		c.ending(-1)
	}
	return c.exit()
}

// repeat tells that a chain ranges over its input again. It is cut off if no other
// delivery is wanted.
func (c *chains) repeat() {
	if c.exitEnd() {
		c.cut = true
	}
}

// exit tells that nothing more comes of that, and reports whether the source is to
// end: the region lets go of it behind a delivery, not in its midst.
func (c *chains) exit() (over bool) {
	if c == nil {
		return false
	}
	if c.within--; c.within == 0 {
		c.letGo()
	}
	return c.within == 0 && c.over
}

// enterBatch tells that a chain is about to be fed a batch.
func (c *chains) enterBatch() {
	if c != nil {
		c.batches++
		c.hold()
	}
}

// exitBatch tells that it has been fed it, or will not be fed the rest.
func (c *chains) exitBatch() {
	if c != nil {
		c.batches--
	}
}

// lost tells that n values did not pass a chain, since it has failed or was cut off.
func (c *chains) lost(n int) {
	if c != nil {
		c.lose(n)
	}
}

// isCut reports whether nothing more is wanted.
func (c *chains) isCut() bool { return c != nil && c.cut }

// inHand reports whether more may come of what a feeder has, so that a stop waits for
// it. For a chain that may wait it does so only in the midst of a batch.
func (c *chains) inHand() bool { return c.batches > 0 || c.within > 0 && c.waiting == 0 }

package pipeline

import "context"

// chains tells a region of the chains that stand between it and its source, and
// them of it. It belongs to the goroutine of the region. A nil one is that of a
// source that no region ranges over.
type chains struct {
	hold, letGo func()      // mark the region as having something in hand, or nothing
	lose        func(n int) // counts values that a chain was to be fed and is not

	waits  bool // a chain may wait, also in the midst of a delivery
	within int  // feeders that are feeding one delivery, of which more may come
	rest   int  // values of their batches that have not been fed yet
	begun  bool // what is in hand was before the stop, so it goes in to its end
	over   bool // the region wants no other delivery
	cut    bool // it wants nothing more at all: the run is at its end
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
	return c != nil && c.waits
}

// enter tells that a chain is about to be fed a delivery.
func (c *chains) enter() {
	if c != nil {
		c.within++
	}
}

// exit tells that it has been fed, and reports whether the source is to end:
// the region lets go of it behind a delivery, not in the midst of what comes of one.
func (c *chains) exit() (over bool) {
	if c == nil {
		return false
	}
	if c.within--; c.within == 0 {
		c.letGo()
	}
	return c.within == 0 && c.over
}

// take tells that n values of a batch are in hand, which the chain is to be fed.
func (c *chains) take(n int) {
	if c != nil && n > 0 {
		c.rest += n
		c.hold()
	}
}

// fed tells that the chain is fed one of them.
func (c *chains) fed() {
	if c != nil {
		c.rest--
	}
}

// leave tells that n of them will not be fed, and whether they are lost by that.
func (c *chains) leave(n int, lost bool) {
	if c == nil {
		return
	}
	if c.rest -= n; (lost || c.cut) && n > 0 {
		c.lose(n)
	}
}

// inHand reports whether more may come of what a feeder has, so that a stop waits for
// it. For a chain that may wait it does so only in the midst of a batch.
func (c *chains) inHand() bool { return c.rest > 0 || c.within > 0 && !c.waits }

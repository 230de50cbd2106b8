package pipeline

import (
	"context"
	"sync/atomic"
)

// chains tells a region of the chains that stand between it and its source, and
// them of it. It belongs to the goroutine of the region. A nil one is that of a
// source that no region ranges over.
type chains struct {
	hold, letGo func()       // mark the region as having something in hand, or nothing
	lose        func(n int)  // counts values that did not pass a chain as rejected
	awaited     *atomic.Bool // a stop waits until the source has ended

	some   bool // there are chains
	waits  bool // one may wait, also in the midst of a delivery
	within int  // feeders of whose delivery, or of the end of whose input, more may come
	rest   int  // values of their batches that have not been fed yet
	begun  bool // what is in hand was before the stop, so it goes in to its end
	over   bool // the region wants no other delivery
	again  bool // a chain ranges over its input again all the same
	cut    bool // it wants nothing more at all: the run has ended
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

// add tells of one more chain, and whether that may wait.
func (c *chains) add(waits bool) {
	if c != nil {
		c.some, c.waits = true, c.waits || waits
	}
}

// endAtStop tells that the source ends when the stop begins. That then waits for it,
// since a chain may have held something back.
func (c *chains) endAtStop() {
	if c != nil && c.some && !c.waits {
		c.awaited.Store(true)
	}
}

// enter tells that a chain is about to be fed a delivery.
func (c *chains) enter() {
	if c != nil {
		c.within++
	}
}

// enterEnd tells that a chain has left its input, and may yield what it has held back.
func (c *chains) enterEnd() {
	if c == nil {
		return
	}
	if c.within++; !c.waits {
		c.hold()
	}
}

// repeat tells that a chain ranges over its input again.
func (c *chains) repeat() {
	if c.exit() {
		c.again = true
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

// leave tells that n of them will not be fed.
func (c *chains) leave(n int) {
	if c != nil {
		c.rest -= n
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
func (c *chains) inHand() bool { return c.rest > 0 || c.within > 0 && !c.waits }

package pipeline

import (
	"context"
	"time"
)

// burst is a run of deliveries that a source has at hand, as it says by
// Delivery.More. The region stages what comes of them, and admits it under one
// lock. It belongs to the goroutine of the region.
//
// A feeder passes on what the source says, so that all that stands between may
// say otherwise. But the last delivery of a burst may bring nothing, and must
// not leave others staged: the feeder tells the burst of that. A nil burst is
// that of a source that no region ranges over.
type burst struct {
	flush  func() // admits what is staged
	single bool   // each value is admitted as it comes

	waits  bool // a chain may wait, also in the midst of a delivery
	within int  // feeders that are feeding one delivery, of which more may come
	over   bool // the region wants no other delivery

	more bool      // the next delivery comes at once
	rest bool      // it is in hand already: see Delivery.rest
	n    int       // deliveries that share the time, since the last flush
	at   time.Time // when they have come
}

// burstKey is the key of the *burst in the context of a source.
type burstKey struct{}

// burstOf returns the burst of a context, or nil.
func burstOf(ctx context.Context) *burst {
	b, _ := ctx.Value(burstKey{}).(*burst)
	return b
}

// enter tells that a chain is about to be fed a delivery.
func (b *burst) enter() {
	if b != nil {
		b.within++
	}
}

// exit tells that it has been fed, and reports whether the source is to end:
// the region lets go of it behind a delivery, not in the midst of what comes of one.
func (b *burst) exit() (over bool) {
	if b == nil {
		return false
	}
	b.within--
	return b.within == 0 && b.over
}

// inHand reports whether the region has something in hand though nothing is
// staged: the rest of a batch, or of what comes of a delivery. A chain that may
// wait in between does not keep the region from stopping.
func (b *burst) inHand() bool { return b.rest || b.within > 0 && !b.waits }

// now returns the time for a delivery that brings none. One reading of the
// clock serves those that come together, as many as are staged at most.
func (b *burst) now() time.Time {
	if b == nil || b.single {
		return time.Now()
	}
	if b.n%staged == 0 {
		b.at = time.Now()
	}
	b.n++
	return b.at
}

// close ends the burst with its source, which may have panicked in the midst of a
// delivery.
func (b *burst) close() {
	b.within = 0
	b.pause()
}

// pause ends the burst, whatever the source said. A source calls it that is
// about to wait.
func (b *burst) pause() {
	if b != nil {
		b.more, b.rest = false, false
		b.flush()
	}
}

package pipeline

import (
	"context"
	"time"
)

// burst is a run of deliveries that a source has at hand, as it says by
// Delivery.More. The region stages what comes of them, and admits it under one
// lock. It belongs to the goroutine of the region. A nil burst stages nothing.
//
// The region follows the source itself unless chains stand between: then the
// feeder next to the source does, which alone sees what the source says.
type burst struct {
	user  any    // the feeder that follows the source; nil for the region
	flush func() // admits what is staged

	more bool      // the next delivery comes at once
	n    int       // deliveries so far
	at   time.Time // when those that bring no time of arrival have come
}

// burstKey is the key of the *burst in the context of a source.
type burstKey struct{}

// burstOf returns the burst of a context, or nil.
func burstOf(ctx context.Context) *burst {
	b, _ := ctx.Value(burstKey{}).(*burst)
	return b
}

// burstFor takes the burst of a context over, as meterFor does a meter.
func burstFor(ctx context.Context, user any) *burst {
	b := burstOf(ctx)
	if b != nil {
		b.user = user
	}
	return b
}

// next is called with each delivery, before anything comes of it.
func (b *burst) next(user any, more bool) {
	if b == nil || b.user != user {
		return
	}
	if !b.more {
		b.n = 0
	}
	b.n++
	b.more = more
}

// now returns the time for a delivery that brings none. One reading of the
// clock serves as many as are staged at most.
func (b *burst) now() time.Time {
	if b == nil {
		return time.Now()
	}
	if b.n%staged <= 1 {
		b.at = time.Now()
	}
	return b.at
}

// fed is called when all that comes of a delivery has come. The last delivery
// of a burst may bring nothing, and must not leave others staged.
func (b *burst) fed(user any) {
	if b != nil && b.user == user && !b.more {
		b.flush()
	}
}

// pause is called by a source that is about to wait, whatever it said.
func (b *burst) pause() {
	if b != nil {
		b.more = false
		b.flush()
	}
}

// end is called when the source has ended, whatever it said.
func (b *burst) end(user any) {
	if b != nil && b.user == user {
		b.pause()
	}
}

// goesOn reports whether more is at hand.
func (b *burst) goesOn() bool { return b != nil && b.more }

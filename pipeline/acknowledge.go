package pipeline

import (
	"time"

	"github.com/headrace/headrace/cache"
)

// Acknowledge says when the delivery that a value came with is acknowledged.
type Acknowledge uint8

const (
	// AckOnAdmit acknowledges a value when it is in the cache. It conflates
	// with every source. What waits in the cache is lost in a crash: at most
	// one entry for each key, as old as Stats.OldestAge says.
	AckOnAdmit Acknowledge = iota
	// AckOnDone acknowledges a value when the entry that holds it is done, or
	// dead after the dead-letter callback, or dropped with a report. Under a
	// merge that Replaces a superseded value is acknowledged once its
	// successor is in the cache; under any other all of them are held. What
	// waits at the drain deadline is refused, and so delivered again: that is
	// at least once. A receipt that panics meanwhile is logged.
	//
	// Values can meet in the cache only while several are unacknowledged, so it
	// needs a source with a Window larger than the number of keys in motion.
	AckOnDone
)

// checkAcknowledge checks what a producer says of its source against AckOnDone.
func (p *producer[V]) checkAcknowledge(fail func(string, ...any) error) error {
	switch {
	case p.Acknowledge > AckOnDone:
		return fail("Acknowledge must be AckOnAdmit or AckOnDone, got %d", p.Acknowledge)
	case p.Window < 0:
		return fail("Window must not be negative, got %d", p.Window)
	case p.HoldLimit < 0:
		return fail("HoldLimit must not be negative, got %v", p.HoldLimit)
	case p.Acknowledge == AckOnDone && p.Window*p.Parallel == 1:
		return fail("AckOnDone with a Window of 1 can never merge anything: the source hands out a value only when the one before is acknowledged. Use AckOnAdmit, Parallel sources, or a source with a larger Window")
	}
	return nil
}

// outlasts reports whether a value can wait longer than its source will let it
// be unacknowledged, after which the source delivers it again.
func (p *producer[V]) outlasts(maxAge time.Duration) bool {
	return p.Acknowledge == AckOnDone && p.HoldLimit > 0 && (maxAge == 0 || maxAge >= p.HoldLimit)
}

// held returns the receipt that the cache is to acknowledge.
func (r *run[K, V]) held(i *instance[V], receipt Receipt) cache.Receipt {
	if i.Acknowledge == AckOnDone {
		return guarded{receipt, &r.log}
	}
	return nil
}

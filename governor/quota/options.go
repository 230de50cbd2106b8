package quota

import "time"

// Options configure Quotas. The zero value measures by a window of one second
// and has no quotas until some are set.
type Options struct {
	// Dir holds the configuration documents. New reads it; Watch and Reload read
	// it again when it has changed; Alter, Remove and Load write it. Empty
	// means that the configuration lives in memory only.
	Dir Dir
	// Window is the time a quota is for. Zero means 1 s.
	Window time.Duration
	// Samples is the number of windows that a rate is measured over. Zero means
	// 1, the quota to the letter. 11 is what Kafka does: an entity that was idle
	// may use ten windows' worth at once, and the rate is smoother.
	Samples int
	// MaxDelay is the longest delay of one charge. Zero means Window. The delay
	// for request time is never longer than Window. It bounds what is told, not
	// how long a gate waits.
	MaxDelay time.Duration
	// Producers is the number that RequestTimePercent is a share of. Zero means
	// the number of producer gates that are open at the moment.
	Producers int
	// Observe computes, counts and reports everything and delays nothing.
	Observe bool
	// Expiry is how long an entity is remembered without a charge, and longer
	// while it owes a delay. Zero means 1 h. It must be at least Samples*Window.
	Expiry time.Duration
	// MaxEntities bounds the entities that are remembered, for each of the three
	// keys. Zero means 100,000, some 55 MB; the most is 1,000,000. At the bound an
	// entity that owes nothing and has been idle for long makes room, one without a
	// quota first. If there is none, newcomers share one budget (see Usage.Other), and
	// those without a quota are not measured.
	MaxEntities int
	// OnThrottle, if set, hears of an entity that is delayed, at most once in 30 s
	// for each. It runs on the goroutine of Charge, without a lock, and should
	// not block.
	OnThrottle func(Usage)
	// OnError, if set, hears of what Watch could not read. It runs on the
	// goroutine of Watch.
	OnError func(error)
}

func (o Options) withDefaults() Options {
	setDefault(&o.Window, time.Second)
	setDefault(&o.Samples, 1)
	setDefault(&o.MaxDelay, o.Window)
	setDefault(&o.Expiry, time.Hour)
	setDefault(&o.MaxEntities, 100_000)
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// check expects the defaults to be filled in.
func (o Options) check() error {
	switch {
	case o.Window < time.Millisecond:
		return invalid("Window must be at least 1ms, got %v", o.Window)
	case o.Samples < 1:
		return invalid("Samples must be at least 1, got %d", o.Samples)
	case o.Samples > 1000:
		return invalid("Samples must be at most 1000, got %d", o.Samples)
	case o.MaxDelay < 0:
		return invalid("MaxDelay must not be negative, got %v", o.MaxDelay)
	case o.Producers < 0:
		return invalid("Producers must not be negative, got %d", o.Producers)
	case o.Window > time.Duration(1<<63-1)/1000/time.Duration(o.Samples+1):
		return invalid("Window is too long: %v", o.Window)
	case o.Expiry < time.Duration(o.Samples)*o.Window:
		return invalid("Expiry must be at least Samples*Window (%v), got %v: forgetting earlier lets entities off", time.Duration(o.Samples)*o.Window, o.Expiry)
	case o.MaxEntities < 1:
		return invalid("MaxEntities must be at least 1, got %d", o.MaxEntities)
	case o.MaxEntities > 1_000_000:
		return invalid("MaxEntities must be at most 1000000, some 550 MB, got %d", o.MaxEntities)
	}
	return nil
}

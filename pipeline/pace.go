package pipeline

import (
	"errors"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
)

// pace is the goroutine of the metronome: beats, divided by the governor,
// become releases. It ends when the gate is open, since a drain without a pace
// needs no beats, and when the metronome reaches its limit: then nothing more is
// taken, in a paced drain neither.
func (r *run[K, V]) pace() {
	beats, err := metronome.Beats(r.takes, r.config.Metronome)
	if err != nil {
		panic(err) // New has validated the options
	}
	var sequence uint64
	owed := 0 // credit that found nothing eligible
	for beat := range beats {
		if r.gate.isOpen() {
			return
		}
		owed = r.beat(beat.Sequence-sequence, owed)
		sequence = beat.Sequence
		if r.cache.Overdue() {
			r.gate.addOverdue()
		}
		if !r.resting() {
			continue
		}
		// Nobody needs the beats: no timer runs until something waits.
		if err := r.cache.Wait(r.takes); err != nil {
			if errors.Is(err, cache.ErrClosed) {
				r.gate.open() // what was left of a paced drain has been dropped
			}
			return
		}
		sequence += r.wake(beat.Time, time.Now())
		owed = 0
	}
	if r.takes.Err() == nil {
		close(r.limit)
		r.cancelTakes()
	}
}

// resting reports whether nothing waits and nothing is leased. A metronome with
// a limit rests only when nothing can come any more, since the limit is due at
// its time with or without work.
func (r *run[K, V]) resting() bool {
	l := r.cache.Ledger()
	if l.Waiting > 0 || l.Leased > 0 {
		return false
	}
	return r.config.Metronome.Limit == 0 || r.closed.Load()
}

// wake tells the governor of the beats since the last one, which nobody saw, and
// returns how many there were. An eager governor then lets the arrival through.
func (r *run[K, V]) wake(last, now time.Time) uint64 {
	interval := r.config.Metronome.Interval
	missed := uint64(max(0, now.Sub(last)/interval))
	if r.governor == nil {
		return missed
	}
	if missed > 0 {
		r.governor.Sleep(last.Add(time.Duration(missed)*interval), missed)
	}
	r.eager(now)
	return missed
}

// eager lets an arrival through to an idle consumer if the governor says so.
func (r *run[K, V]) eager(now time.Time) {
	if r.cache.Len() == 0 || r.gate.unspent() > 0 {
		return
	}
	if reads := r.governor.Eager(now); reads > 0 {
		r.release(now, reads, false)
	}
}

// beat turns beats into releases. A pass sets the credit; what of it finds no
// eligible entry is looked at again with each beat until the next pass, as long
// as something waits. So an arrival in an empty cache waits for a passing beat.
func (r *run[K, V]) beat(beats uint64, owed int) int {
	now := time.Now()
	if reads := r.reads(now, beats); reads > 0 {
		owed = min(reads, r.gate.size()) - r.gate.unspent()
	}
	if r.governor != nil {
		r.eager(now)
	}
	switch {
	case owed <= 0 || r.cache.Len() == 0:
		return 0
	case r.governor != nil && r.governor.Braked(now):
		return owed
	}
	return owed - r.release(now, owed, true)
}

// reads is what beats allow: reads for each pass that they make.
func (r *run[K, V]) reads(now time.Time, beats uint64) int {
	if r.governor != nil {
		return r.governor.Beat(now, beats, max(0, r.cache.Eligible()-r.gate.unspent()))
	}
	passes := min(beats, uint64(r.gate.size())) // more would be void
	return int(min(passes*uint64(r.config.Reads), uint64(r.gate.size())))
}

// release adds up to n releases for entries that are eligible and have none,
// stamped now, and returns how many. One is queued if the leases and the
// releases before it take up all that the consumer can work on at once.
func (r *run[K, V]) release(now time.Time, n int, beat bool) int {
	n = max(0, min(n, r.cache.Eligible()-r.gate.unspent()))
	busy := int(r.cache.Ledger().Leased) + r.gate.unspent()
	parallel := r.parallel()
	r.gate.add(n, func(i int) governor.Release {
		return governor.Release{At: now, Queued: busy+i >= parallel, Beat: beat}
	})
	return n
}

// parallel is how many entries the consumer can work on at once.
func (r *run[K, V]) parallel() int {
	n := r.config.Workers * r.consumer.size
	if r.consumer.async != nil && r.config.Governor.Parallel > 0 {
		n = r.config.Governor.Parallel
	}
	if r.limiter != nil {
		n = min(n, r.limiter.Limit()*r.consumer.size)
	}
	return n
}

package pipeline

import (
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
)

// pace is the goroutine of the metronome: beats, divided by the governor,
// become releases. It closes r.limit when the metronome reaches its limit, and
// ends when the gate is open: a drain has no pace.
func (r *run[K, V]) pace() {
	beats, err := metronome.Beats(r.takes, r.config.Metronome)
	if err != nil {
		panic(err) // New has validated the options
	}
	var sequence uint64
	var woke time.Time // end of the sleep before the beat, zero without one
	owed := 0          // credit that found nothing eligible
	for beat := range beats {
		if r.gate.isOpen() {
			return
		}
		elapsed := beat.Sequence - sequence
		sequence = beat.Sequence
		if !woke.IsZero() {
			elapsed -= r.slept(beat, elapsed, woke)
			woke = time.Time{}
		}
		owed = r.beat(elapsed, owed)
		if r.resting() {
			// Nobody needs the beats: no timer runs until something waits.
			if r.cache.Wait(r.takes) != nil {
				return
			}
			woke, owed = time.Now(), 0
		}
	}
	if r.takes.Err() == nil {
		close(r.limit)
	}
}

// resting reports whether nothing waits and nothing is leased. A metronome with
// a limit never rests, since that is due at its time with or without work.
func (r *run[K, V]) resting() bool {
	if r.config.Metronome.Limit > 0 {
		return false
	}
	l := r.cache.Ledger()
	return l.Waiting == 0 && l.Leased == 0
}

// slept tells the governor of the beats that nobody saw before the wake-up, and
// returns how many there were.
func (r *run[K, V]) slept(beat metronome.Beat, elapsed uint64, woke time.Time) uint64 {
	interval := r.config.Metronome.Interval
	var since uint64 // beats after the wake-up
	if late := beat.Time.Sub(woke); late > 0 {
		since = min(elapsed, uint64((late+interval-1)/interval))
	}
	missed := elapsed - since
	if r.governor != nil && missed > 0 {
		r.governor.Sleep(beat.Time.Add(-time.Duration(since)*interval), missed)
	}
	return missed
}

// beat turns beats into releases. A pass sets the credit; what of it finds no
// eligible entry is looked at again with each beat until the next pass, as long
// as something waits. So an arrival in an empty cache waits for a passing beat.
func (r *run[K, V]) beat(beats uint64, owed int) int {
	now := time.Now()
	passes := int(min(beats, uint64(r.config.Workers))) // more would be void
	if r.governor != nil {
		passes = min(r.governor.Beat(now, beats), r.config.Workers)
	}
	if passes > 0 {
		owed = min(passes*r.config.Reads, r.config.Workers) - r.gate.unspent()
	}
	if owed <= 0 {
		return 0
	}
	eligible, ledger := r.cache.Eligible(), r.cache.Ledger()
	if ledger.Waiting == 0 {
		return 0
	}
	return owed - r.release(now, min(owed, eligible-r.gate.unspent()), ledger)
}

// release adds n releases, stamped now, and returns how many. One is queued if
// the leases and the releases before it keep all workers busy.
func (r *run[K, V]) release(now time.Time, n int, ledger cache.Ledger) int {
	n = max(n, 0)
	// Counted here: a free worker may take a release before the next is added.
	busy := int(ledger.Leased) + r.gate.unspent()
	for i := range n {
		r.gate.add(governor.Release{At: now, Queued: busy+i >= r.config.Workers, Beat: true})
	}
	return n
}

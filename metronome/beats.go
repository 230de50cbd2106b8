package metronome

import (
	"context"
	"iter"
	"time"
)

// Beat is one beat of a metronome.
type Beat struct {
	// Sequence is the number of the beat. It counts from 1, and missed beats
	// are counted too.
	Sequence uint64

	// Time is when the beat was due, which is at or before the moment at
	// which it is yielded. It carries a monotonic reading, so time.Since
	// gives the lateness.
	Time time.Time

	// Missed is the number of beats that were due since the previous yield
	// (or since the start) and are skipped: the difference of the two
	// sequence numbers, less one. 0 for a beat that came in time.
	Missed uint64
}

// Beats returns the beats of a metronome. The error is that of
// [Options.Validate].
//
// The metronome starts when the sequence is ranged over, and afresh each time.
// It runs in the caller's goroutine and starts none; several goroutines may
// range over one sequence, each with a metronome of its own. A range allocates
// a timer once and nothing for each beat. A beat that is already due costs one
// clock reading, about 45 ns on a virtual machine; one that must be waited for
// costs a second reading and setting the timer.
//
// A body may block as long as it likes. No timer runs while it does, so a
// caller puts an idle metronome to sleep by waiting in the body until there is
// work. The beats of that time follow as one, with the rest in Missed. Callers
// who make up for missed beats should cap what they make up for.
//
// Time passes as the monotonic clock of the system has it. On Linux that clock
// stands still while the machine is suspended, so that such beats are not
// missed but postponed, and an aligned metronome is off by the suspension
// modulo Interval until it is started again.
//
//   - Emits when a beat is due, or at once if one became due during the body;
//     of several it emits the last.
//   - Waits when the next beat is not due yet; for ever if Interval is 0.
//   - Completes when the beat numbered Limit has been yielded.
//   - Cancels when ctx ends, while waiting or before a beat, without an error:
//     see [context.Context.Err].
func Beats(ctx context.Context, o Options) (iter.Seq[Beat], error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return func(yield func(Beat) bool) {
		if o.Interval == 0 {
			<-ctx.Done()
			return
		}
		beat(ctx, o, yield)
	}, nil
}

// beat runs a metronome. It never multiplies beyond the time elapsed, so that
// no interval and no run is long enough to overflow.
func beat(ctx context.Context, o Options, yield func(Beat) bool) {
	origin := o.origin(time.Now())
	timer := time.NewTimer(o.Interval) // set anew for each wait
	defer timer.Stop()

	for previous := uint64(0); previous < o.last(); {
		elapsed := time.Since(origin)
		due := min(uint64(elapsed/o.Interval), o.last())
		if due <= previous {
			if !sleep(ctx, timer, o.Interval-elapsed%o.Interval) {
				return
			}
			continue // and look how late it is
		}
		if ctx.Err() != nil {
			return
		}
		at := origin.Add(time.Duration(due) * o.Interval)
		if !yield(Beat{Sequence: due, Time: at, Missed: due - previous - 1}) {
			return
		}
		previous = due
	}
}

// sleep waits on the timer and reports false if ctx ended first.
func sleep(ctx context.Context, timer *time.Timer, d time.Duration) bool {
	timer.Reset(d)
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

package operators

import "time"

// turns says when the next value may pass. It reads no clock.
type turns struct {
	gap  time.Duration // from one turn to the next
	per  time.Duration // bounds what a late timer is made up for
	turn time.Time     // of the next value
	wake time.Time     // when a timer last fired; late if after its turn
}

func newTurns(n int, per time.Duration, now time.Time) *turns {
	gap := per / time.Duration(n)
	if per%time.Duration(n) > 0 {
		gap++ // rounded down, a span of per could hold n+1
	}
	return &turns{gap: gap, per: per, turn: now, wake: now}
}

// next takes the turn of a value that is there now, and returns how long it has
// to wait for it.
//
// A turn that has passed is given out late. If it was already past when the
// timer fired, the timer is to blame, and the turns keep their times to make up
// for it. Else the input or the caller was slow, and the turns start over from
// now, since a pause earns no burst.
func (t *turns) next(now time.Time) time.Duration {
	wait := t.turn.Sub(now)
	if wait <= 0 && !t.turn.Before(t.wake) {
		t.turn = now
	}
	t.turn = t.turn.Add(t.gap)
	return max(wait, 0)
}

// woke tells when the timer fired that was set for the last turn. Turns more
// than per ago are lost: after a machine slept there is no flood.
func (t *turns) woke(now time.Time) {
	t.wake = now
	if oldest := now.Add(-t.per); t.turn.Before(oldest) {
		t.turn = oldest
	}
}

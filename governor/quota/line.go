package quota

import (
	"slices"
	"time"
)

// line is the gates that wait for a tight account, first come first served, and
// the turn of the one that is through. The account's lock guards it.
//
// A turn ends with the charge of its gate. It lapses after a window, because the
// source behind that gate may have nothing to deliver, and the others must not
// wait for it. When there is room again, those that are in the line still take
// turns, and short ones.
type line struct {
	gates     []*Gate
	turn      *Gate
	turnUntil time.Duration
}

// blocks returns how long g must wait for those before it. Whoever changes the
// head of the line or the turn wakes the head, so the others may sleep long.
func (l *line) blocks(g *Gate, t, window time.Duration) time.Duration {
	if l.turn != nil && l.turn != g && t < l.turnUntil {
		return min(l.turnUntil-t, window)
	}
	if len(l.gates) > 0 && l.gates[0] != g {
		return window
	}
	return 0
}

func (l *line) join(g *Gate) { l.gates = append(l.gates, g) }

func (l *line) leave(g *Gate) {
	i := slices.Index(l.gates, g)
	if i < 0 {
		return
	}
	l.gates = slices.Delete(l.gates, i, i+1)
	if i == 0 {
		l.wakeHead()
	}
}

func (l *line) takeTurn(g *Gate, until time.Duration) { l.turn, l.turnUntil = g, until }

func (l *line) endTurn(g *Gate) {
	if l.turn == g {
		l.turn = nil
		l.wakeHead()
	}
}

func (l *line) turnOut(t time.Duration) bool { return l.turn != nil && t < l.turnUntil }

func (l *line) wakeHead() {
	if len(l.gates) > 0 {
		l.gates[0].ring()
	}
}

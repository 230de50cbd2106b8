package quota

import (
	"context"
	"time"
)

// Wait returns when the identity is within its quotas.
//
//   - Returns when the mute deadline of every entity that the identity is charged
//     to has passed, its rate is within the limit, it owes nothing, and no other
//     gate of a muted entity has its turn. Gates of an entity take turns in the
//     order they came; when there is room again, those that waited still do, for at
//     most a twentieth of a window each.
//   - Waits at most a window at a time and then looks again, at once when a turn
//     ends. The sum of these waits has no bound: it is what has been used, divided
//     by the quota. An entity is let go within a window after its quota was
//     removed, and a running delay is not shortened by other changes.
//   - Returns ErrClosed when the quotas are closed.
//   - Returns ctx.Err() at once when ctx ends. What has been charged stays.
//
// Without a wait it costs some 20 ns.
func (g *Gate) Wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if g.passes() {
		return nil
	}
	wait := g.admit()
	if wait == 0 {
		return g.open()
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	defer g.leave()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-g.quotas.closed:
			return ErrClosed
		case <-g.wake:
		case <-timer.C:
		}
		if wait = g.admit(); wait == 0 {
			return g.open()
		}
		timer.Reset(wait)
	}
}

// passes is the short way: no change of rules, and no account is tight.
func (g *Gate) passes() bool {
	if g.rules != g.quotas.rules.Load() {
		return false
	}
	for _, a := range g.accounts {
		if a != nil && a.tight.Load() {
			return false
		}
	}
	return true
}

func (g *Gate) open() error {
	select {
	case <-g.quotas.closed:
		return ErrClosed
	default:
		return nil
	}
}

// admit returns 0 when g has come through, and else how long to wait. It holds
// the locks of both accounts, bytes first, so that both agree at one instant.
func (g *Gate) admit() time.Duration {
	t := g.quotas.since(time.Now())
	g.resolve(t)
	for _, a := range g.accounts {
		if a != nil {
			a.mu.Lock()
			defer a.mu.Unlock()
		}
	}
	for _, a := range g.accounts {
		if a == nil {
			continue
		}
		if wait := a.blocks(g, t); wait > 0 {
			g.stand(a, t)
			return wait
		}
	}
	stood := g.standing
	g.stand(nil, t)
	for _, a := range g.accounts {
		if a != nil {
			a.admit(g, t, a == stood)
		}
	}
	return 0
}

// stand goes from the line that g stands in to that of a, or to none. It stands
// only where it is held up: a gate that waits for its time does not hold up those
// that wait for bytes. The locks of both accounts are held.
func (g *Gate) stand(a *account, t time.Duration) {
	if g.standing == a {
		return
	}
	if old := g.standing; old != nil {
		old.line.leave(g)
		old.tally.waited += max(0, t-g.since)
	}
	g.standing, g.since = a, t
	if a != nil {
		a.line.join(g)
	}
}

// waited sums the waits that have ended and those that go on. a.mu is held, under
// which every gate in the line came to it.
func (a *account) waited(t time.Duration) time.Duration {
	sum := a.tally.waited
	for _, g := range a.line.gates {
		sum += max(0, t-g.since)
	}
	return sum
}

// leave gives up the place in the line.
func (g *Gate) leave() {
	if a := g.standing; a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		g.stand(nil, g.quotas.since(time.Now()))
	}
}

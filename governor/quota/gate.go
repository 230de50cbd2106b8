package quota

import "time"

// Gate stands in front of one goroutine that does work for an identity. The
// goroutine calls Wait before it takes on the next piece of work and Charge when
// it has done it:
//
//	for gate.Wait(ctx) == nil {
//		delivery := next()
//		start := time.Now()
//		handle(delivery)
//		now := time.Now()
//		gate.Charge(now, now.Sub(start), size(delivery))
//	}
//
// A Gate belongs to that goroutine: its methods must not run at the same time.
// Goroutines that share an identity have a gate each, and share its budget.
type Gate struct {
	quotas *Quotas
	id     Identity
	kinds  [2]kind // bytes, then time
	n      int     // of them that are charged

	// What the identity resolved to under the rules. Nil: not measured.
	rules    *rules
	accounts [2]*account

	standing *account // in whose line it is
	since    time.Duration
	wake     chan struct{}
	producer bool
	closed   bool
}

func newGate(q *Quotas, id Identity, producer bool) *Gate {
	g := &Gate{quotas: q, id: id, producer: producer, wake: make(chan struct{}, 1)}
	if producer {
		g.kinds, g.n = [2]kind{producerBytes, requestTime}, 2
	} else {
		g.kinds, g.n = [2]kind{consumerBytes}, 1
	}
	return g
}

// Charge records that handling took busy and moved so many bytes; now is when it
// ended. Both count in full, also above the quota; negative values count as
// zero. The entity, not only this gate, is held back for the delay that Charge
// returns: Wait does the waiting. In observe-only mode nothing waits.
//
// It locks nothing but the entity's accounts, costs about 200 ns and does not
// allocate, except for the first charge of an entity and after a change of the
// configuration. Without quotas of the kind it does nothing.
func (g *Gate) Charge(now time.Time, busy time.Duration, bytes int64) Delay {
	var d Delay
	t := g.quotas.since(now)
	d.Bytes = g.charge(0, t, t, max(bytes, 0))
	if g.producer {
		after := t
		if !g.quotas.options.Observe {
			after = later(t, d.Bytes)
		}
		d.Time = g.charge(1, t, after, max(int64(busy), 0))
	}
	return d
}

// charge records v at t, which is now or later.
func (g *Gate) charge(i int, now, t time.Duration, v int64) time.Duration {
	for {
		g.resolve(now)
		a := g.accounts[i]
		if a == nil {
			return 0
		}
		out := a.charge(g, now, t, v)
		if out.expired {
			g.rules = nil // look for the entity again
			continue
		}
		if out.report && g.quotas.options.OnThrottle != nil {
			g.quotas.options.OnThrottle(g.quotas.usage(now, a))
		}
		return out.delay
	}
}

// resolve looks the accounts up again if the rules have changed.
func (g *Gate) resolve(t time.Duration) {
	r := g.quotas.rules.Load()
	if r == g.rules {
		return
	}
	old := g.accounts
	for i, k := range g.kinds[:g.n] {
		g.accounts[i] = nil
		if r.measured[k] {
			g.accounts[i] = g.quotas.account(t, r, k, g.id)
		}
	}
	g.rules = r
	for _, a := range old {
		if a != nil && a != g.accounts[0] && a != g.accounts[1] {
			g.detach(a, t)
		}
	}
}

// detach leaves an account: its line, and the turn if g has it.
func (g *Gate) detach(a *account, t time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if g.standing == a {
		g.stand(nil, t)
	}
	a.line.endTurn(g)
}

// Close says that the goroutine has ended. A producer no longer counts, and
// those that wait for its turn need not. What has been charged stays.
func (g *Gate) Close() {
	if g.closed {
		return
	}
	g.closed = true
	for _, a := range g.accounts {
		if a != nil {
			g.detach(a, g.since)
		}
	}
	if g.producer {
		g.quotas.join(-1)
	}
}

// ring wakes the goroutine in Wait, or makes its next wait look again.
func (g *Gate) ring() {
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

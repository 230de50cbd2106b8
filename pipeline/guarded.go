package pipeline

// guarded is a receipt in the hands of the cache, whose panic must not end what
// that is in the middle of: it concerns another value than the one at hand.
type guarded struct {
	receipt Receipt
	log     *events
}

func (g guarded) Ack() (settled bool) {
	g.log.call("Receipt.Ack", func() { settled = g.receipt.Ack() })
	return settled
}

func (g guarded) Nack() (settled bool) {
	g.log.call("Receipt.Nack", func() { settled = g.receipt.Nack() })
	return settled
}

// Revoked reports whether the source has taken the value back.
func (g guarded) Revoked() (revoked bool) {
	if r, ok := g.receipt.(interface{ Revoked() bool }); ok {
		g.log.call("Receipt.Revoked", func() { revoked = r.Revoked() })
	}
	return revoked
}

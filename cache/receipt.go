package cache

// Receipt settles a value with its source. The cache acknowledges it, once,
// when the value needs no more: its entry is done, dropped with a report, or
// given up, or a newer value has replaced it. Values that were merged into one
// are settled together. Both methods must not block, and report whether this
// call settled it. They are called outside the lock, by the goroutine that
// caused it. Watermill's *message.Message is a Receipt.
//
// A Receipt may have a method Revoked() bool as well: see Entry.Revoked.
type Receipt interface {
	Ack() bool
	Nack() bool
}

// held are the receipts of an entry. Nil holds none.
type held struct{ receipts []Receipt }

func hold(r Receipt) *held {
	if r == nil {
		return nil
	}
	return &held{[]Receipt{r}}
}

// with returns the receipts of both.
func (h *held) with(more *held) *held {
	switch {
	case h == nil:
		return more
	case more == nil:
		return h
	}
	return &held{append(h.receipts, more.receipts...)}
}

// settle notes receipts to be acknowledged when the lock is free.
func (c *Cache[K, V]) settle(h *held) {
	if h != nil {
		c.acks = append(c.acks, h.receipts...)
	}
}

// Revoked reports whether the entry has receipts, and all of them have been
// revoked: they have a method Revoked that says so, as when a broker has given
// their partition to another consumer. Such an entry is not to be processed;
// Cache.Revoke ends its lease.
func (e *Entry[K, V]) Revoked() bool {
	if e.held == nil {
		return false
	}
	for _, r := range e.held.receipts {
		if v, ok := r.(interface{ Revoked() bool }); !ok || !v.Revoked() {
			return false
		}
	}
	return true
}

// Revoke ends the lease of an entry that is not to be processed, without
// acknowledging anything. It is counted and reported as Revoked. It reports
// whether the lease was still open.
func (c *Cache[K, V]) Revoke(e Entry[K, V]) bool {
	c.mu.Lock()
	defer c.unlock()
	if !c.holds(&e) {
		return false
	}
	c.lose(e, Revoked)
	c.release(e.slot)
	c.ledger.Revoked++
	c.next(e.slot)
	return true
}

// NackWaiting refuses the receipts of all that waits, and keeps the entries. It
// is for the end, when they will not be processed.
func (c *Cache[K, V]) NackWaiting() {
	var all []Receipt
	c.mu.Lock()
	c.slots.each(func(s *slot[K, V]) {
		if s.extra == nil || s.state == none {
			return
		}
		all = s.extra.held.take(all)
		s.extra.held = nil
		for i := range s.extra.rest {
			all = s.extra.rest[i].held.take(all)
			s.extra.rest[i].held = nil
		}
	})
	c.mu.Unlock()
	each(all, Receipt.Nack)
}

// each settles receipts: all of them, also if one panics or ends the goroutine.
func each(receipts []Receipt, settle func(Receipt) bool) {
	n := 0
	defer func() {
		if n < len(receipts) {
			each(receipts[n:], settle)
		}
	}()
	for n < len(receipts) {
		n++
		settle(receipts[n-1])
	}
}

func (h *held) take(all []Receipt) []Receipt {
	if h == nil {
		return all
	}
	return append(all, h.receipts...)
}

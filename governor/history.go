package governor

// history is a ring of the last decisions.
type history struct {
	ring []Decision
	next int
	full bool
}

func newHistory(size int) history { return history{ring: make([]Decision, size)} }

func (h *history) add(d Decision) {
	h.ring[h.next] = d
	h.next++
	if h.next == len(h.ring) {
		h.next, h.full = 0, true
	}
}

// all returns a copy, oldest first.
func (h *history) all() []Decision {
	if !h.full {
		return append([]Decision(nil), h.ring[:h.next]...)
	}
	return append(append([]Decision(nil), h.ring[h.next:]...), h.ring[:h.next]...)
}

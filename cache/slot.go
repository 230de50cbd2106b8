package cache

import "time"

// slot is all the cache knows of one key. The key has a line of entries: at
// most one that is leased, and behind it those that wait. The value of the
// leased entry is with its consumer; the head of the waiting ones lies here.
type slot[K comparable, V any] struct {
	key   K
	head  item[V] // the first waiting entry, unless state is none
	lease uint64  // number of the lease; 0 when nothing is leased
	place uint64  // where the order keeps the slot; see order
	extra *extra[V]

	leaseIndex int32 // position in Cache.leases
	state      state
}

// item is one waiting entry.
type item[V any] struct {
	value       V
	at          time.Duration // arrival of the first value merged in, since Cache.base
	newest      time.Duration // arrival of the newest value merged in
	sequence    uint64        // number of the insertion: unique, never 0
	first, last uint64        // source sequence numbers; 0 when there are none
	merged      uint32        // values merged into the first
	attempts    uint32        // times this entry has been leased
}

// extra is what few slots need.
type extra[V any] struct {
	leased V             // the leased value, for Newer to look at
	due    time.Duration // end of the back-off
}

// state says where the head of the waiting entries is.
type state uint8

const (
	none    state = iota // nothing waits
	ready                // eligible: in the order
	behind               // behind the lease of its key
	delayed              // in back-off
)

// absorb makes the entry cover an arrival: its times and source sequences.
func (i *item[V]) absorb(at time.Duration, sequence uint64) {
	i.newest = max(i.newest, at)
	i.span(sequence, sequence)
}

// span widens the range of source sequence numbers.
func (i *item[V]) span(first, last uint64) {
	if first != 0 && (i.first == 0 || first < i.first) {
		i.first = first
	}
	i.last = max(i.last, last)
}

// more returns the slot's extra, made on first use.
func (s *slot[K, V]) more() *extra[V] {
	if s.extra == nil {
		s.extra = new(extra[V])
	}
	return s.extra
}

// clear forgets the waiting entry, so that nothing it points to is kept alive.
func (s *slot[K, V]) clear() {
	s.head = item[V]{}
	s.state = none
}

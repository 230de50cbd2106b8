package cache

import (
	"math"
	"time"
)

// slot is all the cache knows of one key. The key has a line of entries: at
// most one that is leased, and behind it those that wait. The value of the
// leased entry is with its consumer; the head of the waiting ones lies here,
// and the rest, which only Append makes, in extra.
//
// What a merge touches comes first, so that it lies in as few cache lines as can
// be: two for a value of 64 bytes.
type slot[K comparable, V any] struct {
	extra   *extra[V]
	granted uint32 // leases of this slot so far
	leased  bool
	seated  bool // it stays when nothing of its key waits or is leased
	state   state
	head    item[V] // the first waiting entry, unless state is none
	place   uint64  // in the order of eligible entries, or among the leases
	key     K
}

// item is one waiting entry.
type item[V any] struct {
	value       V
	newest      time.Duration // arrival of the newest value merged in
	merged      uint32        // values merged into the first
	attempts    uint16        // times this entry has been leased
	op          Op
	at          time.Duration // arrival of the first value merged in, since Cache.base
	sequence    uint64        // number of the insertion: unique, never 0
	first, last uint64        // source sequence numbers; 0 when there are none
	lead        time.Duration // head start
}

// mostAttempts is where the count of attempts stops: an entry that is returned
// at once, again and again, gets there within a second.
const mostAttempts = math.MaxUint16

// extra is what few slots need.
type extra[V any] struct {
	rare                   // of the head
	rest     []queued[V]   // the line behind the head
	leased   V             // the leased value, for Newer to look at
	leasedOp Op            // of that
	due      time.Duration // end of the back-off
	places   [2]uint64     // in the orders by age
}

// state says where the head of the waiting entries is.
type state uint8

const (
	none    state = iota // nothing waits
	ready                // eligible: in the order
	behind               // behind the lease of its key
	delayed              // in back-off
)

// rare is what few entries have.
type rare struct {
	held *held // receipts
	size int64 // as SizeOf has it
}

// queued is an entry behind the head.
type queued[V any] struct {
	item[V]
	rare
}

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

// rest returns the waiting entries behind the head.
func (s *slot[K, V]) rest() []queued[V] {
	if s.extra == nil {
		return nil
	}
	return s.extra.rest
}

// tail returns the last waiting entry, nil when nothing waits.
func (s *slot[K, V]) tail() *item[V] {
	if s.state == none {
		return nil
	}
	if rest := s.rest(); len(rest) > 0 {
		return &rest[len(rest)-1].item
	}
	return &s.head
}

// rareOf returns what the last waiting entry has of that.
func (s *slot[K, V]) rareOf(tail *item[V]) *rare {
	x := s.more()
	if tail == &s.head {
		return &x.rare
	}
	return &x.rest[len(x.rest)-1].rare
}

// size returns the size of the head.
func (s *slot[K, V]) size() int64 {
	if s.extra == nil {
		return 0
	}
	return s.extra.size
}

// setHead makes an entry the head.
func (s *slot[K, V]) setHead(q queued[V]) {
	s.head = q.item
	if s.extra != nil || q.rare != (rare{}) {
		s.more().rare = q.rare
	}
}

// enqueue adds an entry to the end of the line behind the head.
func (s *slot[K, V]) enqueue(q queued[V]) {
	x := s.more()
	x.rest = append(x.rest, q)
}

// advance drops the head: the next of the line takes its place. Nothing that
// the old one points to is kept alive.
func (s *slot[K, V]) advance() {
	rest := s.rest()
	if len(rest) == 0 {
		var zero V
		s.head.value = zero
		s.state = none
		if s.extra != nil {
			s.extra.rare = rare{}
		}
		return
	}
	s.setHead(rest[0])
	rest[0] = queued[V]{}
	if rest = rest[1:]; len(rest) == 0 {
		rest = nil
	}
	s.extra.rest = rest
}

// precede puts an entry in front of the line.
func (s *slot[K, V]) precede(q queued[V]) {
	if s.state != none {
		x := s.more()
		x.rest = append(x.rest, queued[V]{})
		copy(x.rest[1:], x.rest)
		x.rest[0] = queued[V]{s.head, x.rare}
	}
	s.setHead(q)
}

// shorten takes the last entry off the line behind the head.
func (s *slot[K, V]) shorten() {
	rest := s.extra.rest
	last := len(rest) - 1
	rest[last] = queued[V]{}
	if rest = rest[:last]; last == 0 {
		rest = nil
	}
	s.extra.rest = rest
}

// mergeable reports whether an upsert merges into the head and leaves its
// operation as it is.
func (s *slot[K, V]) mergeable() bool {
	return s.state != none && s.head.op < Delete &&
		(s.extra == nil || len(s.extra.rest) == 0 && s.extra.held == nil)
}

// newest returns the newest value of the key that was not appended: of those
// that wait, or else the leased one.
func (s *slot[K, V]) newest() (value V, ok bool) {
	rest := s.rest()
	for i := len(rest) - 1; i >= 0; i-- {
		if rest[i].op != Append {
			return rest[i].value, true
		}
	}
	if s.state != none && s.head.op != Append {
		return s.head.value, true
	}
	if s.leased && s.extra.leasedOp != Append {
		return s.extra.leased, true
	}
	return value, false
}

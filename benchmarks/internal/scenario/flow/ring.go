package flow

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"time"
)

// ring is a coalescing ring for one producer and one consumer, after the idea
// that LMAX published. Without a lock and without a map: the producer looks
// through what the consumer has not claimed yet, overwrites the value of its key
// if it finds it, and adds it if not. So a put costs in proportion to the keys
// that wait. It keeps pointers, so values must not change once they are put.
//
// A value is written before the claim is looked at again. If the claim has not
// moved by then, the consumer, which claims before it reads, will see the value.
// If it has moved, the consumer may have read the old one, so the value is
// added as well. It can then arrive twice, and is never lost.
type ring struct {
	keys   []uint64 // the producer's
	values []atomic.Pointer[snapshot]
	added  uint64 // the producer's copy of next

	_     [64]byte      // next and claimed are written by different cores
	next  atomic.Uint64 // first free place
	_     [64]byte
	claim atomic.Uint64 // first place that the consumer has not claimed
	_     [64]byte

	closed atomic.Bool
}

// newRing returns a ring that has room for every key twice: once claimed and
// being read, once waiting.
func newRing(keys int) *ring {
	size := 1 << bits.Len(uint(2*keys))
	return &ring{keys: make([]uint64, size), values: make([]atomic.Pointer[snapshot], size)}
}

func (r *ring) put(snapshots []snapshot, _ time.Time) {
	for i := range snapshots {
		if s := &snapshots[i]; !r.overwrite(s) {
			r.add(s)
		}
	}
}

func (r *ring) overwrite(s *snapshot) bool {
	mask := uint64(len(r.keys) - 1)
	for i := r.claim.Load(); i < r.added; i++ {
		if r.keys[i&mask] == s.Instrument {
			r.values[i&mask].Store(s)
			return i >= r.claim.Load()
		}
	}
	return false
}

func (r *ring) add(s *snapshot) {
	i := r.added & uint64(len(r.keys)-1)
	r.keys[i] = s.Instrument
	r.values[i].Store(s)
	r.added++
	r.next.Store(r.added)
}

func (r *ring) close() { r.closed.Store(true) }

func (r *ring) take(into []snapshot) (n int, open bool) {
	open = !r.closed.Load() // before next, so that nothing is added later
	from, to := r.claim.Load(), r.next.Load()
	to = min(to, from+uint64(len(into)))
	r.claim.Store(to)
	for i := from; i < to; i++ {
		into[n] = *r.values[i&uint64(len(r.keys)-1)].Load()
		n++
	}
	if n == 0 {
		runtime.Gosched()
	}
	return n, open
}

func (*ring) done() {}

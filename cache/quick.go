package cache

import (
	"reflect"
	"time"
)

// ways says which values may go the quick way into the cache: that of nearly
// all under load. It makes no detour for what the options do not ask for. After
// Close there are none.
type ways struct {
	overwrites bool // an upsert of a waiting key runs no user code
	merges     bool // it runs Merge, and nothing else
	inserts    bool // an upsert of a key of which nothing waits needs only a place
	behind     bool // also when the key is leased
}

func (o *Options[K, V]) ways() ways {
	return ways{
		overwrites: o.Merge == nil && o.MergeInto == nil && o.Newer == nil && o.SizeOf == nil,
		merges:     (o.Merge != nil || o.MergeInto != nil) && o.Newer == nil && o.SizeOf == nil,
		inserts:    !odd(reflect.TypeFor[K]()) && o.HeadStart == nil && o.SizeOf == nil,
		behind:     o.Newer == nil,
	}
}

// odd reports whether a type has values that are not equal to themselves, as a
// float has, or that cannot be hashed, as an interface may hold.
func odd(t reflect.Type) bool {
	return madeOf(t, func(k reflect.Kind) bool {
		return k >= reflect.Float32 && k <= reflect.Complex128 || k == reflect.Interface
	})
}

// madeOf reports whether a type, or what its values are made of, is of such a kind.
func madeOf(t reflect.Type, such func(reflect.Kind) bool) bool {
	switch t.Kind() {
	case reflect.Array:
		return madeOf(t.Elem(), such)
	case reflect.Struct:
		for i := range t.NumField() {
			if madeOf(t.Field(i).Type, such) {
				return true
			}
		}
		return false
	}
	return such(t.Kind())
}

func (c *Cache[K, V]) overwrite(s *slot[K, V], value *V, at time.Duration, sequence uint64) {
	s.head.value = *value
	s.head.merged++
	s.head.absorb(at, sequence)
	c.ledger.Puts++
	c.ledger.Merged++
}

// quick admits a value if that can go the quick way. A panic of Merge leaves all
// as it was.
func (c *Cache[K, V]) quick(s *slot[K, V], in *incoming[K], value *V) bool {
	switch {
	case in.op != Upsert || in.receipt != nil:
		return false
	case s == nil || s.state == none:
		if !c.insertable(s) {
			return false
		}
		if s == nil {
			s = c.slotOf(in.key)
		}
		c.insertQuickly(s, value, in.at, in.sequence)
		return true
	case !s.mergeable():
		return false
	case c.ways.overwrites:
		c.overwrite(s, value, in.at, in.sequence)
		return true
	case c.ways.merges:
		c.mergeQuickly(s, value, in.at, in.sequence)
		return true
	}
	return false
}

// mergeQuickly merges a value. Its caller undoes a merge that panics.
func (c *Cache[K, V]) mergeQuickly(s *slot[K, V], value *V, at time.Duration, sequence uint64) {
	if c.inPlace.into != nil {
		c.inPlace.merge(&s.head.value, value)
	} else {
		s.head.value = c.options.Merge(s.head.value, *value)
	}
	s.head.merged++
	s.head.absorb(at, sequence)
	c.ledger.Puts++
	c.ledger.Merged++
}

// mergeAndUnlock is the whole of a PutAt that merges. Merge may panic.
func (c *Cache[K, V]) mergeAndUnlock(s *slot[K, V], value *V) {
	defer func() {
		c.inPlace.undo()
		c.mu.Unlock()
	}()
	h := &s.head
	if c.inPlace.into != nil {
		c.inPlace.merge(&h.value, value)
	} else {
		h.value = c.options.Merge(h.value, *value)
	}
	h.merged++
	h.newest = max(h.newest, c.lastSince)
	c.ledger.Puts++
	c.ledger.Merged++
}

// insertable reports whether an upsert can go the quick way into a slot of which
// nothing waits, or into a new one.
func (c *Cache[K, V]) insertable(s *slot[K, V]) bool {
	w := &c.ways
	return w.inserts && (s == nil || !s.leased || w.behind) && c.room(Upsert, 0)
}

func (c *Cache[K, V]) insertQuickly(s *slot[K, V], value *V, at time.Duration, sequence uint64) {
	c.sequence++
	h := &s.head
	h.value = *value
	h.at, h.newest = at, at // and no lead: there are no head starts here
	h.sequence, h.first, h.last = c.sequence, sequence, sequence
	h.merged, h.attempts, h.op = 0, 0, Upsert
	c.ledger.Puts++
	c.ledger.Inserted++
	c.ledger.Waiting++
	c.place(s)
}

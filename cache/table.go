package cache

// table maps keys to slots. A Go map does not shrink, so after a peak the table
// starts a new one: lookups ask both, and the old one goes when its last key
// does. Entries leave in order, so it does, and a key that stays because it is
// put again and again moves to the new one. No more than one key moves at a
// time, so nothing pauses.
type table[K comparable, V any] struct {
	keys map[K]*slot[K, V]
	old  map[K]*slot[K, V] // nil, or on its way out
	peak int               // the most keys at once since the map is there
}

// hash panics if key cannot be hashed, as a map would: an interface may hold
// anything. It is asked before the lock is taken. It costs 2 ns.
func hash[K comparable](key K) {
	var none map[K]struct{}
	_ = none[key]
}

// hashable reports whether key can be hashed.
func hashable[K comparable](key K) (ok bool) {
	defer func() { ok = recover() == nil }()
	hash(key)
	return
}

// smallTable is a peak that is not worth a new map.
const smallTable = 4096

func newTable[K comparable, V any]() table[K, V] {
	return table[K, V]{keys: make(map[K]*slot[K, V])}
}

func (t *table[K, V]) len() int { return len(t.keys) + len(t.old) }

// get is just small enough for the compiler to put it in line, which takes a tenth
// off a merge.
func (t *table[K, V]) get(key K) *slot[K, V] {
	s := t.keys[key]
	if s == nil {
		s = t.recall(key)
	}
	return s
}

// recall looks a key up in the old map, and moves it if it is there.
func (t *table[K, V]) recall(key K) *slot[K, V] {
	s := t.old[key]
	if s != nil {
		t.add(s)
		t.leave(key)
	}
	return s
}

func (t *table[K, V]) add(s *slot[K, V]) {
	t.keys[s.key] = s
	t.peak = max(t.peak, len(t.keys))
}

func (t *table[K, V]) remove(key K) {
	delete(t.keys, key)
	if t.old != nil {
		t.leave(key)
		return
	}
	t.rotate()
}

// leave takes a key out of the old map. Another peak may have come and gone while
// that was there.
func (t *table[K, V]) leave(key K) {
	delete(t.old, key)
	if len(t.old) == 0 {
		t.old = nil
		t.rotate()
	}
}

// rotate starts a new map if a peak is over and there is no old one.
func (t *table[K, V]) rotate() {
	if t.peak <= smallTable || len(t.keys) >= t.peak/4 {
		return
	}
	if len(t.keys) > 0 {
		t.old = t.keys
	}
	t.keys, t.peak = make(map[K]*slot[K, V]), 0
}

// each calls f with every slot.
func (t *table[K, V]) each(f func(*slot[K, V])) {
	for _, s := range t.keys {
		f(s)
	}
	for _, s := range t.old {
		f(s)
	}
}

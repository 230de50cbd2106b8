package cache

// fits reports whether a new entry is within the bounds. A delete always is.
func (c *Cache[K, V]) fits(op Op, size int64) bool {
	o := &c.options
	switch {
	case op == Delete:
		return true
	case o.MaxEntries > 0 && c.ledger.Waiting >= uint64(o.MaxEntries):
		return false
	case op == Append:
		return true
	default:
		return c.fitsBytes(size)
	}
}

// fitsBytes reports whether an entry is within MaxBytes. A lone one is whatever
// its size, or it never would be.
func (c *Cache[K, V]) fitsBytes(size int64) bool {
	return c.options.MaxBytes == 0 || c.ledger.Waiting == 0 || c.ledger.Bytes+size <= c.options.MaxBytes
}

// makeRoom evicts one entry, and more if it takes that many to be within
// MaxBytes. Where returned entries are over MaxEntries it does not make that
// good: it drops no more than it must.
func (c *Cache[K, V]) makeRoom(in *incoming[K], size int64) bool {
	if !c.evict(in.at) {
		return false
	}
	for in.op != Append && !c.fitsBytes(size) {
		if !c.evict(in.at) {
			return false
		}
	}
	return true
}

// room reports whether a new entry may go in. A newcomer must not overtake
// those who wait, nor take the room of the one who has been woken to take it.
func (c *Cache[K, V]) room(op Op, size int64) bool {
	return c.fits(op, size) && (op == Delete || c.putters.len() == 0 && c.putters.awake == 0)
}

// size measures an entry.
func (c *Cache[K, V]) size(key K, value V) int64 {
	if c.options.SizeOf == nil {
		return 0
	}
	return c.options.SizeOf(key, value)
}

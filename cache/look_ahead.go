package cache

// ahead is how many slots of a batch are touched at once, so that the processor
// fetches them from memory, or from another core, together instead of one after the
// other.
const ahead = 16

// lookUp finds the slots of the next values, up to and with the first key that has
// none, and returns how many values that are. To touch the slots saves a fifth where
// there are many keys. A slot that was found stays with its key while those before it
// are filled.
func (c *Cache[K, V]) lookUp(arrivals []Arrival[K, V], found *[ahead]*slot[K, V]) (n int) {
	touched := none
	for ; n < len(arrivals) && n < ahead; n++ {
		s := c.slots.get(arrivals[n].Key)
		found[n] = s
		if s == nil { // it has to be made, which may take the slot of another key away
			n++
			break
		}
		touched |= s.state
	}
	c.touched = touched
	return n
}

// touch touches the next n slots of the lane, in each of the three cache lines that
// one with a value of 64 bytes lies in. Where the cores of producer and consumer share
// no cache, a pipeline then handles a third more updates. Else it costs 1 ns an entry.
func (c *Cache[K, V]) touch(n int) {
	touched := none
	lane := &c.eligible.lane
	for i := range min(n, ahead, lane.Span()) {
		if s := lane.Peek(i); s != nil {
			touched |= s.state | state(s.head.newest) | state(s.place)
		}
	}
	c.touched = touched
}

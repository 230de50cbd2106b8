package cache

// ahead is how many keys of a batch are looked up at once.
const ahead = 16

// lookUp finds the slots of the next values, up to and with the first key that has
// none, and returns how many values that are. It touches the slots, so that the
// processor fetches them from memory, or from another core, together instead of one
// after the other. That saves a fifth where there are many keys. A slot that was found
// stays with its key while those before it are filled.
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

package cache

// contend locks the cache for an operation that has found it locked. A batch
// holds the lock for some microseconds, which is longer than a sync.Mutex spins;
// and a goroutine that parks has to be woken, and found by the scheduler, which
// takes ten times as long. So it pays to spin first. Whatever is no hot path
// calls mu.Lock, which parks. The hot ones spell out TryLock before this: a function
// of both is not inlined, and costs a tenth of a merge.
func (c *Cache[K, V]) contend() {
	for i := 0; i < looks && !c.alone; i++ {
		pause()
		if c.mu.TryLock() {
			return
		}
	}
	c.mu.Lock()
}

// looks bounds the spinning to some 20 us, in steps of 40 ns. To look more often
// is in the way of the holder.
const looks = 500

//go:noinline
func pause() {
	for range 100 {
	}
}

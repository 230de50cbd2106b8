package load

import (
	"sync"
	"sync/atomic"
	"time"
)

// line is what stands between a feed and a consumer without Headrace.
type line interface {
	put(quote)
	// take appends up to limit entries to batch. It does not wait.
	take(batch []taken, limit int) []taken
	waiting() int
}

// channel is a line that keeps every value, or drops those that find no room.
type channel struct {
	values chan quote
	drops  bool
}

func newChannel(size int, drops bool) *channel {
	return &channel{make(chan quote, size), drops}
}

func (c *channel) put(q quote) {
	if !c.drops {
		c.values <- q
		return
	}
	select {
	case c.values <- q:
	default:
	}
}

func (c *channel) take(batch []taken, limit int) []taken {
	for len(batch) < limit {
		select {
		case q := <-c.values:
			batch = append(batch, taken{quote: q, first: q.due})
		default:
			return batch
		}
	}
	return batch
}

func (c *channel) waiting() int { return len(c.values) }

// latest is the latest value of each key under a mutex. It hands them out in no
// order, as a map does.
type latest struct {
	mu     sync.Mutex
	values map[string]taken
}

func newLatest() *latest { return &latest{values: make(map[string]taken)} }

func (l *latest) put(q quote) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, waits := l.values[q.symbol]
	if waits {
		e.merged++
	} else {
		e.first = q.due
	}
	e.quote = q
	l.values[q.symbol] = e
}

func (l *latest) take(batch []taken, limit int) []taken {
	l.mu.Lock()
	defer l.mu.Unlock()
	for symbol, e := range l.values {
		if len(batch) == limit {
			break
		}
		batch = append(batch, e)
		delete(l.values, symbol)
	}
	return batch
}

func (l *latest) waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.values)
}

// consume takes entries off a line until the feed has ended and nothing waits.
func (c *consumer) consume(l line, ended *atomic.Bool) {
	limit := c.pace.batch()
	batch := make([]taken, 0, limit)
	for {
		last := ended.Load() // read before: nothing comes after it
		batch = l.take(batch[:0], limit)
		switch {
		case len(batch) > 0:
			c.process(time.Now(), batch)
		case last:
			return
		default:
			time.Sleep(tick)
		}
	}
}

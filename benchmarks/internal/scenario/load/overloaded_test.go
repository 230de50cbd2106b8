package load

import (
	"sync"
	"testing"
	"time"
)

func TestSampleNeedsWork(t *testing.T) {
	o := newOverloaded(newKeys(10, false), 1, 1, time.Millisecond)
	o.feed.last = make([]uint64, 10)
	if s, err := o.sample(t.Context(), false); err == nil {
		t.Errorf("%v of nothing", s)
	}
}

func TestSampleCountsFinalValues(t *testing.T) {
	o := newOverloaded(newKeys(4, false), 1, 1, time.Millisecond)
	o.after, o.to = 9, time.Now()
	o.from = o.to.Add(-time.Second)
	o.consumer.entries, o.consumer.most = 3, 2
	o.feed.last = []uint64{4, 9, 0, 8}
	o.consumer.delivered = []uint64{4, 7, 0, 8}
	s, err := o.sample(t.Context(), false)
	if err != nil || s["final values"] != 2.0/3 || s["in"] != 9 || s["out"] != 3 {
		t.Errorf("%v, %v; want 2 of 3 final values, 9/s in and 3/s out", s, err)
	}
	o.consumer.delivered[0] = 5
	if _, err := o.sample(t.Context(), false); err == nil {
		t.Error("no error for a value that was never fed")
	}
}

// queue is a line that neither conflates nor has a bound.
type queue struct {
	mu     sync.Mutex
	values []quote
}

func (q *queue) put(v quote) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.values = append(q.values, v)
}

func (q *queue) take(batch []taken, limit int) []taken {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(limit, len(q.values))
	for _, v := range q.values[:n] {
		batch = append(batch, taken{quote: v, first: v.due})
	}
	q.values = q.values[n:]
	return batch
}

func (q *queue) waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.values)
}

// TestMemoryOfAQueueShows: a side that keeps all values misses the bar.
func TestMemoryOfAQueueShows(t *testing.T) {
	o := newOverloaded(newKeys(100, false), 1e6, 1e4, 100*time.Millisecond)
	if err := o.throughLine(t.Context(), &queue{}); err != nil {
		t.Fatal(err)
	}
	s, err := o.sample(t.Context(), false)
	if err != nil || s["memory"] < 40 {
		t.Errorf("%.1f B/value, %v; want about 64", s["memory"], err)
	}
}

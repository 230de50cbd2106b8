package load

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestConsumerRecordsWhileMeasuring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConsumer(1000, 200)
		c.waiting = func() int { return 7 }
		c.pace.start = time.Now()
		at := time.Now()
		time.Sleep(20 * time.Millisecond)
		entry := func(key int, sequence uint64, waited time.Duration) []taken {
			now := time.Now()
			return []taken{{quote{key: key, sequence: sequence, due: now}, now.Add(-waited), 3}}
		}
		c.process(at, entry(0, 1, 0)) // still warming up
		c.phase.Store(measuring)
		c.process(time.Now(), entry(0, 3, 10*time.Millisecond))
		c.process(time.Now(), entry(150, 2, 20*time.Millisecond))
		if c.entries != 2 || c.merged != 6 || c.most != 8 || c.delivered[0] != 3 {
			t.Errorf("%d entries, %d merged, %d at once, key 0 at %d; want 2, 6, 8, 3", c.entries, c.merged, c.most, c.delivered[0])
		}
		if ratio, ok := c.hot.ratioTo(c.cold); !ok || ratio != 2 {
			t.Errorf("hot to cold %v, %v, want 2", ratio, ok)
		}
		if got := c.wait.ms(1); got < 19.9 || got > 20.1 {
			t.Errorf("largest wait %v ms, want 20", got)
		}
	})
}

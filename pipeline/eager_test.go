package pipeline

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/governor"
)

// A burst after idle reaches the handler without waiting for a beat if the
// governor is eager, and on the beat if it is not. The next read waits for a
// period either way. At the start the first beat is awaited.
func TestEager(t *testing.T) {
	for name, test := range map[string]struct {
		eager bool
		want  []string
	}{
		"eager": {true, []string{"10ms a1", "40ms b1", "403ms c1", "430ms d1"}},
		"not":   {false, []string{"30ms a1", "60ms b1", "420ms c1", "450ms d1"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				c := Config[string, item]{Metronome: every, Governor: governor.Options{High: time.Hour, Base: 3, Eager: test.eager}}
				source := script(600*ms, at(5*ms, five[0], five[1]), at(403*ms, five[2], five[3]))
				mustRun(t, c, source, func(_ handling, e entry) error {
					d.note("%v", e.Value)
					return nil
				})
				d.check(t, test.want...)
			})
		})
	}
}

// With low latency and a backlog a pass reads more and more, and without a
// backlog it goes back to the normal number.
func TestMaxReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := Config[string, item]{Metronome: every, Workers: 4, Governor: governor.Options{High: time.Hour, Base: 1, MaxReads: 4}}
		many := make([]item, 200)
		for i := range many {
			many[i] = item{string(rune('A' + i)), i}
		}
		p := mustNew(t, c)
		p.Produce(Producer[item]{Source: script(time.Second, at(0, many...))})
		most := 0
		var mu sync.Mutex
		p.Consume(func(handling, entry) error {
			mu.Lock()
			defer mu.Unlock()
			most = max(most, p.Stats().Governor.Reads)
			return nil
		})
		start := time.Now()
		if err := p.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := p.Stats()
		if most != 4 || s.Ledger.Done != 200 {
			t.Errorf("%d reads a pass at the most, want 4; done %d of 200 in %v", most, s.Ledger.Done, time.Since(start))
		}
	})
}

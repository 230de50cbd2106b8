package pipeline

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/headrace/headrace/cache"
	"github.com/rs/zerolog"
)

// What OnDrop does when a value makes room for itself happens once.
func TestStageOnDropExits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drops := 0
		c := Config[string, item]{Metronome: every}
		c.Cache.MaxEntries, c.Cache.Overflow = 1, cache.EvictOldest
		c.Cache.OnDrop = func(entry, cache.Reason) {
			if drops++; drops == 1 {
				runtime.Goexit()
			}
		}
		p := mustNew(t, c)
		p.Produce(Producer[item]{Source: yielding(Delivery[item]{Batch: []item{{"a", 1}, {"b", 1}, {"c", 1}}})})
		p.Consume(func(context.Context, entry) error { return nil })
		if p.Run(t.Context()) == nil {
			t.Error("no error")
		}
		if l := p.Stats().Ledger; l.Puts != 2 || l.Evicted != 1 {
			t.Errorf("%d puts, %d evicted; b is the last that the source yields", l.Puts, l.Evicted)
		}
	})
}

// An OnDrop that ends the goroutine leaves none of the values uncounted that are
// admitted with its own.
func TestStageOnDropExitsAmidABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := Config[string, item]{Metronome: every}
		c.Cache.MaxEntries, c.Cache.Overflow = 2, cache.Reject
		c.Cache.OnDrop = func(entry, cache.Reason) { runtime.Goexit() }
		p := mustNew(t, c)
		p.Produce(Producer[item]{Source: yielding(Delivery[item]{Batch: five})})
		p.Consume(func(context.Context, entry) error { return nil })
		if p.Run(t.Context()) == nil {
			t.Error("no error")
		}
		if r := p.Stats().Producers[0]; r.Received != 5 || r.Admitted < 2 || r.Rejected == 0 {
			t.Errorf("producer %+v", r)
		}
		checkBalance(t, p)
	})
}

// A callback that ends the goroutine ends the source too. The value in hand is
// settled nevertheless.
func TestStageCallbackExits(t *testing.T) {
	exit := func(i item) {
		if i.key == "b" {
			runtime.Goexit()
		}
	}
	for name, c := range map[string]struct {
		config    Config[string, item]
		onInvalid func(error)
		want      string
	}{
		"Key":       {config: Config[string, item]{Key: func(i item) string { exit(i); return i.key }}, want: "nack"},
		"Op":        {config: Config[string, item]{Op: func(i item) cache.Op { exit(i); return cache.Upsert }}, want: "nack"},
		"OnInvalid": {config: Config[string, item]{Key: func(i item) string { return map[string]string{"a": "a"}[i.key][:1] }}, onInvalid: func(error) { runtime.Goexit() }, want: "ack"},
		"OnDrop": {config: Config[string, item]{Metronome: every, Cache: cache.Options[string, item]{
			MaxEntries: 1, Overflow: cache.Reject, OnDrop: func(e entry, _ cache.Reason) { exit(e.Value) }}}, want: "nack"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				p := mustNew(t, c.config)
				var all []Delivery[item]
				for _, key := range []string{"a", "b", "c"} {
					all = append(all, Delivery[item]{Value: item{key, 1}, Receipt: slip{d, key}})
				}
				p.Produce(Producer[item]{Source: yielding(all...), OnInvalid: c.onInvalid})
				p.Consume(func(context.Context, entry) error { return nil })
				if p.Run(t.Context()) == nil {
					t.Error("no error")
				}
				checkBalance(t, p)
				slices.Sort(d.lines)
				d.check(t, "0s ack a", "0s "+c.want+" b")
			})
		})
	}
}

// A value whose Key ends the goroutine is counted, and logged, as refused, and so
// is the rest of its batch.
func TestStageKeyExits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		p := mustNew(t, Config[string, item]{Logger: zerolog.New(&log), Key: func(i item) string {
			if i.key == "b" {
				runtime.Goexit()
			}
			return i.key
		}})
		p.Produce(Producer[item]{Source: yielding(Delivery[item]{Batch: []item{{"a", 1}, {"b", 1}, {"c", 1}}})})
		p.Consume(func(context.Context, entry) error { return nil })
		if p.Run(t.Context()) == nil {
			t.Error("no error")
		}
		if r := p.Stats().Producers[0]; r.Received != 3 || r.Admitted != 1 || r.Rejected != 2 {
			t.Errorf("producer %+v", r)
		}
		if n := strings.Count(log.String(), "value rejected"); n != 2 {
			t.Errorf("logged %d times\n%s", n, log.String())
		}
	})
}

// OnDrop hears of a value before that is refused.
func TestStageRefusesAfterOnDrop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Metronome: every}
		c.Cache.MaxEntries, c.Cache.Overflow = 1, cache.Reject
		c.Cache.OnDrop = func(e entry, reason cache.Reason) { d.note("%v %v", reason, e.Value) }
		p := mustNew(t, c)
		p.Consume(func(context.Context, entry) error { return nil })
		mustEnd(t, p, yielding(Delivery[item]{Value: item{"a", 1}}, Delivery[item]{Value: item{"b", 1}, Receipt: slip{d, "b"}}))
		d.check(t, "0s rejected b1", "0s nack b")
	})
}

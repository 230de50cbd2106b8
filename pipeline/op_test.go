package pipeline

import (
	"testing"
	"testing/synctest"

	"github.com/headrace/headrace/cache"
)

// tape tells a quote (0 to 99) from a trade (100 and up) and the end of a
// listing (negative).
func tape(i item) cache.Op {
	switch {
	case i.n < 0:
		return cache.Delete
	case i.n >= 100:
		return cache.Append
	}
	return cache.Upsert
}

func TestOp(t *testing.T) {
	tests := []struct {
		name   string
		op     func(item) cache.Op
		change func(c *Config[string, item])
		source []item
		want   []string
	}{
		{"nil is an upsert", nil, nil, []item{{"a", 1}, {"a", -1}}, []string{"20ms upsert a-1"}},
		{"delete of what waits", tape, nil, []item{{"a", 1}, {"a", -1}, {"b", 1}}, []string{"20ms delete a-1", "30ms upsert b1"}},
		{"replace", tape, nil, []item{{"a", 1}, {"a", -1}, {"b", 1}, {"a", 2}, {"a", 3}}, []string{"20ms replace a3", "30ms upsert b1"}},
		{"delete after a replace", tape, nil, []item{{"a", -1}, {"a", 2}, {"a", -3}}, []string{"20ms delete a-3"}},
		{
			"a trade follows the quote before it, and what comes later follows the trade", tape, nil,
			[]item{{"a", 1}, {"a", 2}, {"a", 100}, {"a", 101}, {"a", 3}, {"b", 1}, {"a", 4}},
			[]string{"20ms upsert a2", "30ms append a100", "40ms append a101", "50ms upsert a4", "60ms upsert b1"},
		},
		{
			"a merge does not reach across a delete", tape, func(c *Config[string, item]) { c.Cache.Merge = sum },
			[]item{{"a", 1}, {"a", 2}, {"a", -1}, {"a", 5}, {"a", 6}}, []string{"20ms replace a11"},
		},
		{
			"insert and delete cancel out", func(i item) cache.Op {
				if i.n < 0 {
					return cache.Delete
				}
				return cache.Insert
			},
			func(c *Config[string, item]) { c.Cache.Annihilate = true },
			[]item{{"a", 1}, {"a", -1}, {"b", 1}}, []string{"20ms insert b1"},
		},
		{
			"a delete always fits", tape, func(c *Config[string, item]) { c.Cache.MaxEntries, c.Cache.Overflow = 1, cache.Reject },
			[]item{{"a", 1}, {"b", 1}, {"c", -1}}, []string{"20ms upsert a1", "30ms delete c-1"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				c := Config[string, item]{Metronome: every, Op: test.op}
				if test.change != nil {
					test.change(&c)
				}
				mustRun(t, c, script(95*ms, at(15*ms, test.source...)), func(_ handling, e entry) error {
					d.note("%v %v", e.Op, e.Value)
					return nil
				})
				d.check(t, test.want...)
			})
		})
	}
}

func sum(waiting, arriving item) item { return item{waiting.key, waiting.n + arriving.n} }

// A failed trade comes again before what is behind it, unmerged.
func TestOpAppendRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Op: tape, Workers: 2}
		mustRun(t, c, script(95*ms, at(0, item{"a", 100}), at(ms, item{"a", 1}), at(2*ms, item{"a", 101}, item{"a", 2}, item{"a", 3})), func(_ handling, e entry) error {
			d.note("%v %v", e.Op, e.Value)
			if e.Attempts == 1 && e.Value.n == 100 {
				return errBoom
			}
			return nil
		})
		d.check(t, "0s append a100", "10ms append a100", "10ms upsert a1", "10ms append a101", "10ms upsert a3")
	})
}

// An Op that panics makes its value invalid.
func TestOpPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustRun(t, Config[string, item]{Op: func(i item) cache.Op {
			if i.key == "b" {
				panic("op")
			}
			return cache.Upsert
		}}, script(ms, at(0, five[:3]...)), func(handling, entry) error { return nil })
		if r := p.Stats().Producers[0]; r.Invalid != 1 || r.Admitted != 2 {
			t.Errorf("producer %+v", r)
		}
	})
}

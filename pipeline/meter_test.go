package pipeline

import (
	"context"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor/quota"
	"github.com/headrace/headrace/operators"
)

func percent(v string) quota.Change { return quota.Change{Key: quota.RequestTimePercent, Value: v} }
func byteRate(v string) quota.Change {
	return quota.Change{Key: quota.ProducerByteRate, Value: v}
}

func mustQuotas(t *testing.T, user string, changes ...quota.Change) *quota.Quotas {
	t.Helper()
	q, err := quota.New(quota.Options{})
	if err == nil {
		err = q.Alter(quota.Entity{User: quota.Named(user)}, changes...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// total returns what was charged of a key to a user.
func total(s Stats, key quota.Key, user string) (n int64) {
	for _, u := range s.Quotas.Entities {
		if u.Key == key && u.User == user {
			n += u.Total
		}
	}
	return n
}

// toiling puts a step that takes its time behind a source.
func toiling(source Source[item], work time.Duration) Source[item] {
	return Via(source, func(in iter.Seq[item]) iter.Seq[item] {
		return operators.Tap(in, func(item) { time.Sleep(work) })
	})
}

// A wait for room in the cache is not work.
func TestQuotaRoom(t *testing.T) {
	for _, chain := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			c := Config[string, item]{Quotas: mustQuotas(t, "slow", percent("100"))}
			c.Cache.MaxEntries = 1
			p := mustNew(t, c)
			source, want := script(0, at(0, five...)), int64(0)
			if chain {
				source, want = toiling(source, ms), int64(4*ms) // the fifth ends with the source
			}
			p.Produce(Producer[item]{User: "slow", Source: source})
			p.Consume(func(handling, entry) error { time.Sleep(100 * ms); return nil })
			if err := p.Run(t.Context()); err != nil {
				t.Error(err)
			}
			if got := total(p.Stats(), quota.RequestTimePercent, "slow"); got < want || got > want+int64(ms) {
				t.Errorf("charged %v, want %v", time.Duration(got), time.Duration(want))
			}
		})
	}
}

// However many chains stand behind each other, a delivery is charged once, with
// the time of them all. What they drop is charged too.
func TestQuotaChains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{Quotas: mustQuotas(t, "u", percent("100"), byteRate("1000000000"))})
		source := toiling(toiling(yielding(
			Delivery[item]{Value: item{"a", 1}, Bytes: 7}, Delivery[item]{Value: item{"b", -1}, Bytes: 7}, Delivery[item]{Value: item{"c", 1}, Bytes: 7},
		), 2*ms), 3*ms)
		p.Produce(Producer[item]{User: "u", Source: Via(source, func(in iter.Seq[item]) iter.Seq[item] {
			return operators.Filter(in, func(i item) bool { return i.n > 0 })
		})})
		p.Consume(func(handling, entry) error { return nil })
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		s := p.Stats()
		if got := total(s, quota.RequestTimePercent, "u"); got != int64(15*ms) {
			t.Errorf("charged %v, want 15ms", time.Duration(got))
		}
		if got := total(s, quota.ProducerByteRate, "u"); got != 21 {
			t.Errorf("charged %d bytes, want 21", got)
		}
		if got := s.Producers[0].Admitted; got != 2 {
			t.Errorf("%d admitted", got)
		}
	})
}

// What is invalid has cost time and bytes as well.
func TestQuotaInvalid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, chained := range []bool{false, true} {
			p := mustNew(t, Config[string, item]{Quotas: mustQuotas(t, "u", byteRate("1000000000"))})
			source := Source[item](func(context.Context) iter.Seq2[Delivery[item], error] {
				return func(yield func(Delivery[item], error) bool) {
					_ = yield(Delivery[item]{Bytes: 5}, ErrInvalid) && yield(Delivery[item]{Value: five[0], Bytes: 6}, nil)
				}
			})
			if chained {
				source = toiling(source, 0)
			}
			p.Produce(Producer[item]{User: "u", Source: source})
			p.Consume(func(handling, entry) error { return nil })
			if err := p.Run(t.Context()); err != nil {
				t.Error(err)
			}
			if got := total(p.Stats(), quota.ProducerByteRate, "u"); got != 11 {
				t.Errorf("charged %d bytes, want 11", got)
			}
		}
	})
}

// A Bytes that panics costs nothing, and harms nobody.
func TestQuotaBytesPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		d := newDiary()
		c := Config[string, item]{
			Quotas: mustQuotas(t, "reader", quota.Change{Key: quota.ConsumerByteRate, Value: "1000"}),
			User:   "reader", Bytes: func(item) int64 { panic("bytes") }, Logger: j.logger(),
		}
		mustRun(t, c, script(ms, at(0, five[:2]...)), func(_ handling, e cache.Entry[string, item]) error {
			d.note("%v", e.Value)
			return nil
		})
		d.check(t, "0s a1", "0s b1")
		if got := j.lines(t)[1]; !strings.HasPrefix(got, "error callback panicked callback=Bytes error=panic: bytes") {
			t.Errorf("got %q", got)
		}
	})
}

// An input is let go of also while its quota is used up, and not taken up again before
// that is over.
func TestMeterIsLetGoOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mustNew(t, Config[string, item]{Quotas: mustQuotas(t, "feed", byteRate("1"))})
		start, open := time.Now(), time.Duration(0)
		times := 0
		source := func(context.Context) iter.Seq2[Delivery[item], error] {
			return func(yield func(Delivery[item], error) bool) {
				times++
				yield(Delivery[item]{Value: item{"a", 1}, Bytes: 1000}, nil)
				open = time.Since(start)
			}
		}
		p.Produce(Producer[item]{User: "feed", Source: source, Intermittent: Intermittent{On: 10 * time.Second, Off: time.Second}})
		p.Consume(func(context.Context, entry) error { return nil })
		if err := p.Run(cancelAt(t, time.Minute)); err != nil || open != 10*time.Second || times != 1 {
			t.Errorf("Run returned %v, the input was open for %v, and opened %d times", err, open, times)
		}
	})
}

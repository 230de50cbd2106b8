package pipeline

import (
	"iter"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/headrace/headrace/operators"
)

// exploding passes values until one has that number.
func exploding(n int, do func()) func(iter.Seq[item]) iter.Seq[item] {
	return func(in iter.Seq[item]) iter.Seq[item] {
		return operators.Tap(in, func(i item) {
			if i.n == n {
				do()
			}
		})
	}
}

// Where a chain fails in the midst of a batch, what came before is admitted, and
// what is left of it is counted as rejected.
func TestFeederBatchFails(t *testing.T) {
	long := 2 * staged
	for name, do := range map[string]func(){"panic": func() { panic("chain") }, "exit": runtime.Goexit} {
		for chain, through := range map[string]func(Source[item]) Source[item]{
			"one":   func(s Source[item]) Source[item] { return Via(s, exploding(100, do)) },
			"first": func(s Source[item]) Source[item] { return Via(Via(s, exploding(100, do)), unchanged) },
			"last":  func(s Source[item]) Source[item] { return Via(Via(s, unchanged), exploding(100, do)) },
			"steps": func(s Source[item]) Source[item] { return TryVia(s, inSteps(exploding(100, do))) },
		} {
			for _, receipt := range []bool{false, true} {
				t.Run(name+" "+chain, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						d, log := newDiary(), newDiary()
						batch := Delivery[item]{Batch: items(long)}
						if receipt {
							batch.Receipt = slip{d, "batch"}
						}
						p := mustNew(t, Config[string, item]{})
						p.Produce(Producer[item]{Source: through(yielding(batch))})
						p.Consume(log.reader(0))
						if p.Run(t.Context()) == nil {
							t.Error("no error")
						}
						checkBalance(t, p)
						r := p.Stats().Producers[0]
						if r.Admitted != 99 || r.Rejected != uint64(long-100) {
							t.Errorf("producer %+v", r)
						}
						if got := strings.Join(log.lines, ","); !strings.HasSuffix(got, "0s a99") {
							t.Errorf("read %s", got)
						}
						if receipt {
							d.check(t, "0s nack batch")
						}
					})
				})
			}
		}
	}
}

// One whose consumer has panicked is fed no more, and hands on nothing.
func TestFeederBatchConsumerFails(t *testing.T) {
	defer func() {
		if v := recover(); v != "consumer" {
			t.Errorf("recovered %v", v)
		}
	}()
	for range Via(yielding(Delivery[item]{Batch: items(2 * staged)}), unchanged)(t.Context()) {
		panic("consumer")
	}
}

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
	"github.com/nats-io/nats.go"
)

// The figures of docs/scaling.md. What one process holds and does:
//
//	go test -run '^$' -bench Keys -benchtime 1x .
//	go test -run '^$' -bench Updates -benchtime 5000000x .
//	go test -run '^$' -bench Broker -benchtime 200000x .

// BenchmarkKeys measures the memory of entries that wait, all of other keys. It
// holds the values, and the headers of the keys but not their bytes.
func BenchmarkKeys(b *testing.B) {
	for _, keys := range []int{100_000, 1_000_000, 10_000_000} {
		b.Run(fmt.Sprint(keys), func(b *testing.B) {
			names := symbols(keys)
			for b.Loop() {
				before := heap()
				c, err := cache.New(cache.Options[string, quote]{})
				if err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				for _, name := range names {
					c.PutAt(name, quote{symbol: name, version: 1}, start)
				}
				b.ReportMetric(float64(keys)/time.Since(start).Seconds(), "inserts/s")
				b.ReportMetric(float64(heap()-before)/float64(keys), "B/key")
				runtime.KeepAlive(c)
			}
			runtime.KeepAlive(names)
		})
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func symbols(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = symbol(i)
	}
	return names
}

// BenchmarkUpdates measures a pipeline without a broker: one producer, one worker
// that takes up to 64 entries at once and does nothing with them.
func BenchmarkUpdates(b *testing.B) {
	for _, keys := range []int{1000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(keys), func(b *testing.B) {
			quotes := make([]quote, 1<<20)
			names := symbols(keys)
			for i := range quotes {
				quotes[i] = quote{symbol: names[rand.IntN(keys)], version: uint64(i)}
			}
			p, err := pipeline.New(pipeline.Config[string, quote]{Key: quote.key})
			if err != nil {
				b.Fatal(err)
			}
			p.Produce(pipeline.Producer[quote]{Source: pipeline.FromSeq(func(yield func(quote) bool) {
				for i := range b.N {
					if !yield(quotes[i%len(quotes)]) {
						return
					}
				}
			})})
			p.ConsumeBatch(64, func(context.Context, []cache.Entry[string, quote]) error { return nil })
			b.ResetTimer()
			if err := p.Run(context.Background()); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "updates/s")
			b.ReportMetric(p.Stats().Conflation(), "conflated")
		})
	}
}

// BenchmarkBroker measures the pipelines of four partitions of 50 symbols each, in
// the process of the broker. The messages are in the stream before; how fast they
// got there is the metric published/s.
func BenchmarkBroker(b *testing.B) {
	o := options{partitions: 4, keys: 200, rate: 1 << 30, ackWait: 30 * time.Second}
	broker, err := startBroker(b.Context(), o)
	if err != nil {
		b.Fatal(err)
	}
	defer broker.stop()
	sink := newSink()
	if _, err := serve(broker.conn, sinkSubject, sink.write); err != nil {
		b.Fatal(err)
	}
	filling := fill(b, broker.conn, o)
	conn, err := nats.Connect(broker.server.ClientURL())
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	w := &worker{name: "w1", conn: conn}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	b.ResetTimer()
	for i, consumer := range broker.consumers {
		p, err := w.pipeline(lease{Partition: i, Epoch: i}, consumer)
		if err != nil {
			b.Fatal(err)
		}
		running.Go(func() { p.Run(ctx) })
	}
	for left := 1; left > 0; time.Sleep(10 * time.Millisecond) {
		if left, err = broker.left(ctx); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	cancel()
	running.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
	b.ReportMetric(float64(b.N)/filling.Seconds(), "published/s")
	b.ReportMetric(float64(sink.traffic()["w1"].Written)/b.Elapsed().Seconds(), "written/s")
}

// fill publishes b.N quotes, and returns how long it took.
func fill(b *testing.B, conn *nats.Conn, o options) time.Duration {
	f, err := newFeed(conn, o)
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	for i := range b.N {
		f.publish(i % o.keys)
	}
	if err := f.flush(); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

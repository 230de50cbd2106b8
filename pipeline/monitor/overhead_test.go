package monitor

import (
	"context"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
	"github.com/prometheus/client_golang/prometheus"
)

// BenchmarkThroughput tells what looking at a pipeline costs it: compare ns/op,
// the time for one value. The looks come a hundred times as often as they do in
// use, once a second, so that their cost can be seen at all: what it says of it
// is to be divided by a hundred. The page's is stated with the counting of hot
// keys, which does not depend on how often it looks.
func BenchmarkThroughput(b *testing.B) {
	const often = every / 100
	b.Run("alone", func(b *testing.B) { throughput(b, func(*pipeline.Pipeline[int, int]) { time.Sleep(often) }) })
	b.Run("stats", func(b *testing.B) {
		throughput(b, func(p *pipeline.Pipeline[int, int]) {
			time.Sleep(often)
			p.Stats()
		})
	})
	b.Run("collector", func(b *testing.B) {
		samples := make(chan prometheus.Metric, 1000)
		throughput(b, func(p *pipeline.Pipeline[int, int]) {
			time.Sleep(often)
			NewCollector(p).Collect(samples)
			for len(samples) > 0 {
				<-samples
			}
		})
	})
	b.Run("page", func(b *testing.B) {
		var earlier pipeline.Stats
		throughput(b, func(p *pipeline.Pipeline[int, int]) {
			time.Sleep(often)
			for i, r := range read([]Pipeline{p}, shown) {
				_ = newFrame(i, &r, earlier)
				earlier = r.stats
			}
		})
	})
}

// throughput runs b.N values of 1000 keys, each an entry of its own, through a
// pipeline while look is called again and again.
func throughput(b *testing.B, look func(*pipeline.Pipeline[int, int])) {
	p, err := pipeline.New(pipeline.Config[int, int]{
		Key:   func(v int) int { return v % 1000 },
		Cache: cache.Options[int, int]{MaxEntries: 1000},
		Op:    func(int) cache.Op { return cache.Append },
	})
	if err != nil {
		b.Fatal(err)
	}
	p.Produce(pipeline.Producer[int]{Source: pipeline.FromSeq(func(yield func(int) bool) {
		for v := range b.N {
			if !yield(v) {
				return
			}
		}
	})})
	p.Consume(func(context.Context, cache.Entry[int, int]) error { return nil })
	ended := make(chan error)
	b.ReportAllocs()
	b.ResetTimer()
	go func() { ended <- p.Run(b.Context()) }()
	stop := make(chan struct{})
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		for {
			select {
			case <-stop:
				return
			default:
				look(p)
			}
		}
	}()
	err = <-ended
	b.StopTimer()
	close(stop)
	<-looked
	if err != nil {
		b.Fatal(err)
	}
}

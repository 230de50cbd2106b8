package main

import (
	"context"
	"math"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
	"github.com/headrace/headrace/pipeline/jetstream"
	js "github.com/nats-io/nats.go/jetstream"
)

// batchSize is how many entries the sink takes at once.
const batchSize = 16

// pipeline returns the pipeline of one partition, from the broker to the sink.
func (w *worker) pipeline(l lease, consumer js.Consumer) (*pipeline.Pipeline[string, quote], error) {
	p, err := pipeline.New(pipeline.Config[string, quote]{
		Name: consumerName(l.Partition),
		Key:  quote.key,
		// The order holds without it. It guards against what no source can
		// exclude: that the broker delivers again what it need not, as after
		// a lost connection, while a newer quote waits.
		Cache: cache.Options[string, quote]{Newer: quote.newer},
		// An entry that is given up would be acknowledged, and lost.
		Attempts: math.MaxInt,
	})
	if err != nil {
		return nil, err
	}
	p.Produce(pipeline.Producer[quote]{
		Source:      jetstream.Consume(consumer, jetstream.Options{OnError: w.warn}, w.decoder()),
		Acknowledge: pipeline.AckOnDone,
		Window:      jetstream.Window(consumer),
	})
	p.ConsumeBatch(batchSize, func(ctx context.Context, entries []cache.Entry[string, quote]) error {
		return w.store(ctx, l, entries)
	})
	return p, nil
}

// decoder returns the decoder of one ownership, which counts what it gets. It
// knows a message that this owner had before: a busy broker can deliver one again
// though it is acknowledged. The versions of a symbol come without a gap, so all
// from the first one to come have been here.
func (w *worker) decoder() func(js.Msg) (quote, error) {
	first := make(map[string]uint64)
	return func(m js.Msg) (quote, error) {
		q, err := decode(m)
		if err != nil {
			return q, err
		}
		w.received.Add(1)
		if q.again {
			w.redelivered.Add(1)
		}
		if from, ok := first[q.symbol]; !ok {
			first[q.symbol] = q.version
		} else {
			q.mine = q.again && q.version >= from
		}
		return q, nil
	}
}

// store writes entries to the sink, and returns when the sink has them.
func (w *worker) store(ctx context.Context, l lease, entries []cache.Entry[string, quote]) error {
	select {
	case <-time.After(w.write):
	case <-ctx.Done():
		return ctx.Err()
	}
	b := batch{
		Worker: w.name, Epoch: l.Epoch,
		Received: int(w.received.Swap(0)), Redelivered: int(w.redelivered.Swap(0)),
	}
	for _, e := range entries {
		q := e.Value
		b.Entries = append(b.Entries, entry{Symbol: q.symbol, Version: q.version, Price: q.price, Again: q.again, Mine: q.mine})
	}
	err := ask(w.conn, sinkSubject, b, patience)
	if err != nil { // the next batch tells
		w.received.Add(int64(b.Received))
		w.redelivered.Add(int64(b.Redelivered))
	}
	return err
}

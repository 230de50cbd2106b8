package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
)

const (
	underWay   = 4000             // quotes that the broker has not confirmed, at most
	stallLimit = 30 * time.Second // for which the publishing waits for the broker
)

// feed publishes quotes.
type feed struct {
	js       js.JetStream
	options  options
	zipf     *rand.Zipf // a few symbols get most of the quotes
	random   *rand.Rand
	versions []uint64 // of the last quote, by symbol
	produced int
	failed   chan error // capacity 1
}

// newFeed returns a feed on a connection of its own, as publishers have it.
func newFeed(conn *nats.Conn, o options) (*feed, error) {
	random := rand.New(rand.NewPCG(1, 2))
	f := &feed{
		options: o, random: random, zipf: rand.NewZipf(random, 1.1, 50, uint64(o.keys-1)),
		versions: make([]uint64, o.keys), failed: make(chan error, 1),
	}
	var err error
	f.js, err = js.New(conn,
		js.WithPublishAsyncMaxPending(underWay),
		js.WithPublishAsyncErrHandler(func(_ js.JetStream, _ *nats.Msg, err error) { f.fail(err) }))
	return f, err
}

// fail ends the publishing. A quote that is published a second time would come
// behind newer ones.
func (f *feed) fail(err error) {
	select {
	case f.failed <- fmt.Errorf("publish: %w", err):
	default:
	}
}

// run publishes one quote of each symbol, and then many at the rate, until the
// duration is over or ctx ends. When it returns the broker has stored them.
func (f *feed) run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, f.options.duration)
	defer cancel()
	for i := range f.versions {
		f.publish(i)
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	start, before := time.Now(), f.produced
	for {
		select {
		case now := <-tick.C:
			due := before + int(now.Sub(start).Seconds()*float64(f.options.rate))
			for f.produced < due && ctx.Err() == nil {
				f.publish(f.next(now.Sub(start)))
			}
		case err := <-f.failed:
			return err
		case <-ctx.Done():
			return f.flush()
		}
	}
}

// next returns the symbol that is quoted next. One symbol in ten is halted when a
// worker is killed: some of the last quotes of these are in its hands.
func (f *feed) next(elapsed time.Duration) int {
	i := int(f.zipf.Uint64())
	if i%10 == 0 && elapsed > f.options.duration/3 {
		i = (i + 1) % f.options.keys
	}
	return i
}

func (f *feed) publish(i int) {
	f.versions[i]++
	f.produced++
	q := quote{symbol: symbol(i), version: f.versions[i], price: 1000 + f.random.IntN(20_000)}
	if _, err := f.js.PublishAsync(q.subject(f.options.partitions), q.data(), js.WithStallWait(stallLimit)); err != nil {
		f.fail(err)
	}
}

// flush waits until all is stored.
func (f *feed) flush() error {
	select {
	case <-f.js.PublishAsyncComplete():
	case <-time.After(stallLimit):
		return errors.New("publish: the broker does not confirm")
	}
	select {
	case err := <-f.failed:
		return err
	default:
		return nil
	}
}

func symbol(i int) string { return fmt.Sprintf("SYM%05d", i+1) }

package pipeline

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
)

// Pipeline joins producer regions to a consumer region through a coalescing
// cache. Build it with New, add producers and a consumer, then Run it once.
type Pipeline[K comparable, V any] struct {
	config        Config[K, V]
	cache         *cache.Cache[K, V]
	governor      *governor.Governor // nil without a governor
	limiter       *governor.Limiter  // nil without a limit
	gate          *gate              // nil without a metronome
	image         *image[K, V]       // nil unless it is wanted
	producers     []*producer[V]
	consumer      consumer[K, V]
	consumers     int // calls of Consume methods
	consumerError error
	onDrop        func(cache.Entry[K, V], cache.Reason) // the user's
	meters        meters
	hottest       hottest[K]
	decided       decided
	log           events
	ran           atomic.Bool
}

// New returns a pipeline without producers and consumer. It validates the
// nested options too; its errors wrap ErrConfig and name the field.
func New[K comparable, V any](config Config[K, V]) (*Pipeline[K, V], error) {
	config.setDefaults()
	if err := config.validate(); err != nil {
		return nil, err
	}
	p := &Pipeline[K, V]{config: config}
	p.log = newEvents(config.Logger, config.Name)
	onDrop := config.Cache.OnDrop
	p.onDrop = onDrop
	config.Cache.OnDrop = func(e cache.Entry[K, V], reason cache.Reason) {
		p.log.dropped(e.Key, reason)
		if onDrop != nil {
			p.log.call("OnDrop", func() { onDrop(e, reason) })
		}
	}
	var err error
	if p.cache, err = cache.New(config.Cache); err != nil {
		return nil, fmt.Errorf("%w: Cache: %w", ErrConfig, err)
	}
	p.image = newImage[K, V](config.Image)
	if err := p.setConsumer(consumer[K, V]{size: 1}); err != nil {
		return nil, err
	}
	return p, nil
}

// setConsumer sets up what depends on the form of the consumer.
func (p *Pipeline[K, V]) setConsumer(c consumer[K, V]) (err error) {
	p.consumer = c
	if p.config.Metronome.Interval > 0 {
		p.gate = newGate(c.releases(p.config.Workers, max(p.config.Reads, p.config.Governor.MaxReads)))
	}
	if p.config.Governor.Enabled() {
		if p.governor, err = newGovernor(p.config, &p.decided, p.log, c.size, c.async != nil); err != nil {
			return fmt.Errorf("%w: Governor: %w", ErrConfig, err)
		}
	}
	if p.limiter, err = newLimiter(p.config, p.log, c.async != nil); err != nil {
		return fmt.Errorf("%w: Limit: %w", ErrConfig, err)
	}
	return nil
}

func newGovernor[K comparable, V any](config Config[K, V], decided *decided, log events, batch int, async bool) (*governor.Governor, error) {
	o := config.Governor
	o.Reads = config.Reads
	if !async {
		o.Parallel = config.Workers * batch
	}
	onDecision := o.OnDecision
	o.OnDecision = func(d governor.Decision) {
		decided.add(d.Reason)
		log.decision(d)
		if onDecision != nil {
			log.call("OnDecision", func() { onDecision(d) })
		}
	}
	return governor.New(config.Metronome.Interval, async, o)
}

// Produce adds a producer region. It must be called before Run.
func (p *Pipeline[K, V]) Produce(producer Producer[V]) {
	p.producers = append(p.producers, newProducer(producer, len(p.producers)+1))
}

// Waiting iterates over the entries that wait in the cache, oldest first. It
// may be called at any time; after Run it shows what was left behind.
func (p *Pipeline[K, V]) Waiting() iter.Seq[cache.Entry[K, V]] { return p.cache.All() }

// check validates what New could not know.
func (p *Pipeline[K, V]) check() error {
	if err := p.checkConsumer(); err != nil {
		return err
	}
	if len(p.producers) == 0 {
		return invalid("no producer: call Produce before Run")
	}
	names := make(map[string]bool)
	for _, r := range p.producers {
		if err := r.validate(p.config.Cache.Newer != nil); err != nil {
			return err
		}
		if names[r.Name] {
			return invalid("producer %q: the Name is taken by another one", r.Name)
		}
		names[r.Name] = true
	}
	if p.ran.Swap(true) {
		return invalid("Run was called before: a pipeline runs once")
	}
	return nil
}

// Run starts the regions, and returns when all of them have ended.
//
//   - Ends when every source has ended, ctx is cancelled, a producer fails, or
//     the metronome reaches its Limit.
//   - Then it drains: producers stop, what waits is processed in order without
//     regard to the pace, and leases finish. The Limit alone ends without a
//     drain.
//   - Returns nil, or the first failure of a producer, or what could not be
//     finished by DrainTimeout: an *UnfinishedError with the count of what
//     waits, which Waiting still shows.
//   - Starts a goroutine for each producer, each worker and the metronome. All
//     have ended when it returns, save those that an error names because they
//     did not return within Grace.
func (p *Pipeline[K, V]) Run(ctx context.Context) error {
	if err := p.check(); err != nil {
		return err
	}
	return newRun(ctx, p).run()
}

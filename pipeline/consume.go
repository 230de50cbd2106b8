package pipeline

// consumer is one of three forms of a consumer region.
type consumer[K comparable, V any] struct {
	handler Handler[K, V]
	batch   BatchHandler[K, V]
	size    int // of a batch; 1 for the others
	async   AsyncHandler[K, V]
}

// Consume sets the handler of the consumer region: Workers goroutines pull
// entries and process them. One of the Consume methods must be called before
// Run, once.
func (p *Pipeline[K, V]) Consume(handler Handler[K, V]) {
	p.consume(consumer[K, V]{handler: handler, size: 1})
}

// ConsumeBatch is Consume for a handler of up to size entries: a worker takes
// what is eligible at that moment, and what the pace allows.
func (p *Pipeline[K, V]) ConsumeBatch(size int, handler BatchHandler[K, V]) {
	p.consume(consumer[K, V]{batch: handler, size: size})
}

// ConsumeAsync is Consume for a handler that finishes later. With a governor,
// Governor.Parallel must be set.
func (p *Pipeline[K, V]) ConsumeAsync(handler AsyncHandler[K, V]) {
	p.consume(consumer[K, V]{async: handler, size: 1})
}

// consume keeps what is wrong for Run to return.
func (p *Pipeline[K, V]) consume(c consumer[K, V]) {
	p.consumers++
	switch {
	case c.handler == nil && c.batch == nil && c.async == nil:
		p.consumerError = invalid("the consumer's handler must not be nil")
	case c.size < 1 || c.size > most:
		p.consumerError = invalid("ConsumeBatch: size must be from 1 to %d, got %d", most, c.size)
	default:
		p.consumerError = p.setConsumer(c)
	}
}

func (p *Pipeline[K, V]) checkConsumer() error {
	switch {
	case p.consumers == 0:
		return invalid("no consumer: call Consume before Run")
	case p.consumers > 1:
		return invalid("%d consumers: call one Consume method, once", p.consumers)
	}
	return p.consumerError
}

// releases returns how many releases can be unspent. A pulling consumer has no
// use for more than it can take in hand; an asynchronous one takes them all,
// whatever its workers.
func (c *consumer[K, V]) releases(workers, reads int) int {
	if c.async != nil {
		return max(workers, reads)
	}
	return workers * c.size
}

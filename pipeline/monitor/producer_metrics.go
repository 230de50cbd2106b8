package monitor

import "github.com/headrace/headrace/pipeline"

// producerMetrics are those of each producer.
var producerMetrics = []metric{
	counter("producer_received", "Values that came out of the source and its chain.",
		each(func(p *pipeline.ProducerStats) uint64 { return p.Received }), "producer"),
	counter("producer_admitted", "Values that the cache took.",
		each(func(p *pipeline.ProducerStats) uint64 { return p.Admitted }), "producer"),
	counter("producer_rejected", "Values that the cache refused.",
		each(func(p *pipeline.ProducerStats) uint64 { return p.Rejected }), "producer"),
	counter("producer_invalid", "Values passed over as invalid.",
		each(func(p *pipeline.ProducerStats) uint64 { return p.Invalid }), "producer"),
	counter("producer_failures", "Failures of the producer's sources.",
		each(func(p *pipeline.ProducerStats) uint64 { return p.Failures }), "producer"),
	counter("producer_restarts", "Restarts of the producer's sources after failures.",
		each(func(p *pipeline.ProducerStats) uint64 { return p.Restarts }), "producer"),
	gauge("producer_connected", "Sources of the producer that are open.",
		each(func(p *pipeline.ProducerStats) uint64 { return uint64(p.Connected) }), "producer"),
}

func each(of func(*pipeline.ProducerStats) uint64) func(*reading, emit) {
	return func(r *reading, emit emit) {
		for i := range r.stats.Producers {
			p := &r.stats.Producers[i]
			emit(float64(of(p)), p.Name)
		}
	}
}

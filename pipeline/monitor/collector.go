package monitor

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// Collector is a Prometheus collector over pipelines. The package documentation
// lists its metrics. It keeps nothing: each scrape reads the pipelines anew,
// which costs some 100 us each, and nothing happens in between.
type Collector struct {
	pipelines []Pipeline
}

// NewCollector returns a collector over the pipelines. A registry takes one
// Collector only, so all pipelines of a program go into it. The metrics of two
// pipelines of one name are told apart: the second "quotes" is "quotes-2".
func NewCollector(pipelines ...Pipeline) *Collector {
	return &Collector{slices.Clone(pipelines)}
}

var metrics = concat(cacheMetrics, consumerMetrics, paceMetrics, producerMetrics, quotaMetrics)

// Describe sends the descriptions of all metrics.
func (c *Collector) Describe(to chan<- *prometheus.Desc) {
	for i := range metrics {
		to <- metrics[i].desc
	}
	for i := range histograms {
		to <- histograms[i].desc
	}
}

// Collect sends the metrics as of now. Those of a part that a pipeline has not,
// such as a limit, are left out.
func (c *Collector) Collect(to chan<- prometheus.Metric) {
	for _, r := range read(c.pipelines, 0) {
		for i := range metrics {
			metrics[i].collect(&r, to)
		}
		for i := range histograms {
			histograms[i].collect(&r, to)
		}
	}
}

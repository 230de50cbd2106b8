package monitor

import (
	"math"
	"time"

	"github.com/headrace/headrace/pipeline"
	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// histogram is one histogram family that is read from each pipeline.
type histogram struct {
	desc *prometheus.Desc
	of   func(*pipeline.Stats) pipeline.Histogram
}

var histograms = []histogram{
	{describe("admit_seconds", "Time from arrival until the value is in the cache. One value in 16 is measured."),
		func(s *pipeline.Stats) pipeline.Histogram { return s.Admit }},
	{describe("wait_seconds", "Time that an entry waits in the cache."),
		func(s *pipeline.Stats) pipeline.Histogram { return s.Wait }},
	{describe("service_seconds", "Time from the lease of an entry until it is processed."),
		func(s *pipeline.Stats) pipeline.Histogram { return s.Service }},
	{describe("age_seconds", "Time from the arrival of an entry's newest value until the entry is processed."),
		func(s *pipeline.Stats) pipeline.Histogram { return s.Age }},
	{describe("oldest_seconds", "Time from the arrival of an entry's first value until the entry is processed."),
		func(s *pipeline.Stats) pipeline.Histogram { return s.Oldest }},
}

func (h *histogram) collect(r *reading, to chan<- prometheus.Metric) {
	m := h.of(&r.stats)
	to <- both{native(h.desc, m, r.name), classic(h.desc, m, r.name)}
}

// both is a histogram in two forms. Which of them a server stores is up to it.
type both struct{ native, classic prometheus.Metric }

func (b both) Desc() *prometheus.Desc { return b.native.Desc() }

func (b both) Write(to *dto.Metric) error {
	var c dto.Metric
	if err := b.classic.Write(&c); err != nil {
		return err
	}
	if err := b.native.Write(to); err != nil {
		return err
	}
	to.Histogram.Bucket = c.Histogram.Bucket
	to.Histogram.CreatedTimestamp = nil // of nothing that a server could use
	return nil
}

// schema 3 has 8 buckets an octave, each 9 % wider than the one before. The
// buckets measured are finer, so each goes whole into one of these.
const schema = 3

func native(desc *prometheus.Desc, h pipeline.Histogram, name string) prometheus.Metric {
	counts := make(map[int]int64)
	var zeros uint64
	h.Buckets(func(upper time.Duration, n uint64) {
		if upper == 0 {
			zeros += n
			return
		}
		counts[int(math.Ceil(math.Log2(upper.Seconds())*(1<<schema)))] += int64(n)
	})
	return prometheus.MustNewConstNativeHistogram(desc, h.Count, h.Sum.Seconds(), counts, nil,
		zeros, schema, prometheus.DefNativeHistogramZeroThreshold, time.Time{}, name)
}

// bounds are those of the classic buckets, in seconds.
var bounds = []float64{
	1e-6, 1e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2,
	0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
}

func classic(desc *prometheus.Desc, h pipeline.Histogram, name string) prometheus.Metric {
	counts := make(map[float64]uint64, len(bounds))
	var below uint64
	next := 0
	h.Buckets(func(upper time.Duration, n uint64) {
		for ; next < len(bounds) && bounds[next] < upper.Seconds(); next++ {
			counts[bounds[next]] = below
		}
		below += n
	})
	for ; next < len(bounds); next++ {
		counts[bounds[next]] = below
	}
	return prometheus.MustNewConstHistogram(desc, h.Count, h.Sum.Seconds(), counts, name)
}

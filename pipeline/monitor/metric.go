package monitor

import "github.com/prometheus/client_golang/prometheus"

// metric is one metric family that is read from each pipeline.
type metric struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	read func(*reading, emit)
}

// emit adds a sample, with the values of the labels beside the pipeline's.
type emit func(value float64, labels ...string)

// counter and gauge describe a family. The label pipeline comes first in all.
func counter(name, help string, read func(*reading, emit), labels ...string) metric {
	return metric{describe(name+"_total", help, labels...), prometheus.CounterValue, read}
}

func gauge(name, help string, read func(*reading, emit), labels ...string) metric {
	return metric{describe(name, help, labels...), prometheus.GaugeValue, read}
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("headrace_"+name, help, append([]string{"pipeline"}, labels...), nil)
}

// always reads one number of every pipeline.
func always[N number](of func(*reading) N) func(*reading, emit) {
	return func(r *reading, emit emit) { emit(float64(of(r))) }
}

// paced reads one number of every pipeline that has a metronome.
func paced[N number](of func(*reading) N) func(*reading, emit) {
	return only((*reading).paced, of)
}

// governed reads one number of every pipeline that has a governor.
func governed[N number](of func(*reading) N) func(*reading, emit) {
	return only((*reading).governed, of)
}

// limited reads one number of every pipeline that has a limit.
func limited[N number](of func(*reading) N) func(*reading, emit) {
	return only((*reading).limited, of)
}

func only[N number](when func(*reading) bool, of func(*reading) N) func(*reading, emit) {
	return func(r *reading, emit emit) {
		if when(r) {
			emit(float64(of(r)))
		}
	}
}

type number interface{ int | int64 | uint64 | float64 }

func (r *reading) paced() bool    { return r.seen.Interval > 0 }
func (r *reading) governed() bool { return r.seen.High > 0 }
func (r *reading) limited() bool  { return r.stats.Limit.Limit > 0 }

// collect sends the samples of one pipeline.
func (m *metric) collect(r *reading, to chan<- prometheus.Metric) {
	m.read(r, func(value float64, labels ...string) {
		labels = append([]string{r.name}, labels...)
		to <- prometheus.MustNewConstMetric(m.desc, m.kind, value, labels...)
	})
}

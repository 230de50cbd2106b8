package monitor

import "github.com/headrace/headrace/pipeline"

// latency is what a histogram comes to, in seconds.
type latency struct {
	Count uint64  `json:"count"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p999"`
	Max   float64 `json:"max"`
}

// latencies returns those in which something was measured.
func latencies(s *pipeline.Stats) map[string]latency {
	all := make(map[string]latency)
	add := func(name string, h pipeline.Histogram) {
		if h.Count > 0 {
			all[name] = newLatency(h)
		}
	}
	add("admit", s.Admit)
	add("wait", s.Wait)
	add("service", s.Service)
	add("age", s.Age)
	add("oldest", s.Oldest)
	return all
}

func newLatency(h pipeline.Histogram) latency {
	at := func(q float64) float64 { return h.Quantile(q).Seconds() }
	return latency{h.Count, at(0.5), at(0.9), at(0.99), at(0.999), h.Max.Seconds()}
}

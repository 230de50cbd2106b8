package bench

import (
	"slices"
	"strings"
)

// Result is a case with what was measured.
type Result struct {
	Scenario string       `json:"scenario"`
	Name     string       `json:"name"`
	About    string       `json:"about"`
	Metrics  []Metric     `json:"metrics"`
	Bars     []Bar        `json:"bars"`
	Sides    []SideResult `json:"sides"`
}

// SideResult is a side with what was measured.
type SideResult struct {
	Name     string        `json:"name"`
	Measured []Measurement `json:"measured"` // in the order of the runs
	// Error is why the side failed; empty if it did not. It is not measured again
	// after that.
	Error string `json:"error,omitempty"`
}

// Measurement is what one side did in one run.
type Measurement struct {
	Run     int     `json:"run"`     // from 1
	Place   int     `json:"place"`   // from 1, among the sides of the case in this run
	Seconds float64 `json:"seconds"` // it took, with what was set up
	Sample  Sample  `json:"sample"`
}

// newResult returns the result of a case that has not been measured yet.
func newResult(c Case) Result {
	r := Result{c.Scenario, c.Name, c.About, c.Metrics, c.Bars, make([]SideResult, len(c.Sides))}
	for i, s := range c.Sides {
		r.Sides[i].Name = s.Name
	}
	return r
}

// Side returns the side of that name; the first one if it is empty, and an empty
// one if there is none.
func (r Result) Side(name string) SideResult {
	if name == "" {
		return r.Sides[0]
	}
	i := slices.IndexFunc(r.Sides, func(s SideResult) bool { return s.Name == name })
	if i < 0 {
		return SideResult{Name: name}
	}
	return r.Sides[i]
}

// Metric returns the metric of that name, an empty one if there is none.
func (r Result) Metric(name string) Metric {
	for _, m := range r.Metrics {
		if m.Name == name {
			return m
		}
	}
	return Metric{Name: name}
}

// IsOwn reports whether the side is Headrace or a variant of it: whether its name
// begins like that of the first side, as "Headrace" and "Headrace, batches of 64".
func (r Result) IsOwn(side string) bool {
	first, _, _ := strings.Cut(r.Sides[0].Name, " ")
	return strings.HasPrefix(side, strings.TrimRight(first, ",:"))
}

// Figures returns the figures of the metric, in the order of the runs.
func (s SideResult) Figures(metric string) []float64 {
	var figures []float64
	for _, m := range s.Measured {
		if v, ok := m.Sample[metric]; ok {
			figures = append(figures, v)
		}
	}
	return figures
}

// figure returns the figure of the metric in a run.
func (s SideResult) figure(metric string, run int) (float64, bool) {
	for _, m := range s.Measured {
		if m.Run == run {
			v, ok := m.Sample[metric]
			return v, ok
		}
	}
	return 0, false
}

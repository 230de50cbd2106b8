// Package bench measures cases side by side: every side of a case once in each
// run, one after the other, so that a slow moment of the machine meets them
// all. Figures are medians over the runs; a ratio is the median of the ratios
// within each run.
package bench

import (
	"context"
	"time"
)

// Case is one question: the same work done by Headrace and by others.
type Case struct {
	Scenario string // as -scenario names it
	Name     string // what is done, with its size: "1,000 string keys, Latest"
	About    string // one sentence for the report: what the sides do, what the figures mean
	Metrics  []Metric
	Sides    []Side // Headrace first
	Bars     []Bar
	Release  func() // lets go of what the sides share; called in each run when all of them have been measured; nil for nothing
}

// Metric is something that a side measures.
type Metric struct {
	Name string `json:"name"` // short, unique within the case: "put"
	Unit string `json:"unit"` // "ns/op", "updates/s", "ms", "ratio", "B/key"
	Less bool   `json:"less"` // less is better
}

// Side is one way to do the work.
type Side struct {
	Name string
	// Measure does the work once for about the time given, and returns a figure
	// for each metric that it knows. What it must set up it does not measure.
	Measure func(ctx context.Context, about time.Duration) (Sample, error)
}

// Sample is one measurement, by name of the metric.
type Sample map[string]float64

package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// waits is a histogram of durations up to ten minutes, exact to a thousandth or
// a microsecond.
type waits struct{ h *hdrhistogram.Histogram }

func newWaits() waits {
	return waits{hdrhistogram.New(1, (10 * time.Minute).Microseconds(), 3)}
}

func (w waits) add(d time.Duration) {
	// What is out of range is the fault of a side, and shows in the maximum.
	_ = w.h.RecordValue(min(max(d.Microseconds(), 1), w.h.HighestTrackableValue()))
}

// ms returns a quantile in milliseconds.
func (w waits) ms(q float64) float64 { return float64(w.h.ValueAtQuantile(100*q)) / 1e3 }

func (w waits) max() float64 { return float64(w.h.Max()) / 1e3 }

package quota

import (
	"fmt"
	"strconv"
	"time"
)

// Budget is what a percentage comes to. Its workers are the goroutines that
// produce, not those of a consumer.
type Budget struct {
	Percent float64 // of the time of all workers
	Workers int
	Window  time.Duration
}

// Time returns the handler time per window: Percent/100 * Workers * Window.
func (b Budget) Time() time.Duration {
	return clamp(b.Percent/100*float64(b.Workers)*float64(b.Window)+0.5, 1<<63-1)
}

// String returns it in the form "1 % of 8 workers = 80ms per 1s".
func (b Budget) String() string {
	workers := "workers"
	if b.Workers == 1 {
		workers = "worker"
	}
	percent := strconv.FormatFloat(b.Percent, 'g', -1, 64)
	return fmt.Sprintf("%s %% of %d %s = %v per %v", percent, b.Workers, workers, b.Time(), b.Window)
}

package governor

import (
	"math"
	"slices"
	"time"
)

// Signal is what a window of latencies is reduced to before it is compared with
// High and Low: Mean, Maximum, or any quantile between 0 and 1, such as 0.9.
//
// A quantile is a latency of the window, by nearest rank: the smallest that the
// given share of them are at or below. It costs 8 bytes for each sample of the
// window, and sorting them at each decision.
type Signal float64

const (
	// Mean is the mean of the window. It is the zero value and the default.
	Mean Signal = 0
	// Maximum is the largest latency of the window.
	Maximum Signal = 1
)

// slack makes up for the rounding of shares such as 0.9 times a count.
const slack = 1e-9

// quantile reports whether every latency has to be kept.
func (q Signal) quantile() bool { return q > 0 && q < 1 }

// least is the smallest window of which the signal is neither the smallest nor
// the largest latency, unless it is the median of two.
func (q Signal) least() int {
	if !q.quantile() {
		return 1
	}
	share := min(float64(q), 1-float64(q))
	return int(math.Ceil(min(1/share, math.MaxInt32) - slack))
}

// nearestRank sorts latencies, of which there is at least one, and returns the
// smallest that the share q of them are at or below.
func nearestRank(latencies []time.Duration, q float64) time.Duration {
	slices.Sort(latencies)
	rank := int(math.Ceil(q*float64(len(latencies)) - slack))
	return latencies[max(rank, 1)-1]
}

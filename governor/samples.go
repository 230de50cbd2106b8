package governor

import "time"

// samples collects the latencies that make one decision. The signal is their
// mean; another signal (a maximum, a quantile) would be computed here.
type samples struct {
	count  int
	queued int
	sum    time.Duration
}

func (s samples) add(latency time.Duration, queued bool) samples {
	s.count++
	s.sum += latency
	if queued {
		s.queued++
	}
	return s
}

// signal must not be called without a sample.
func (s samples) signal() time.Duration { return s.sum / time.Duration(s.count) }

func (s samples) mostQueued() bool { return 2*s.queued > s.count }

func (s samples) noneQueued() bool { return s.queued == 0 }

package governor

import "time"

// referenceGradient2 is the formula of the reference implementation, written
// down line by line with nothing shared with the package. It exists to write
// traces.
type referenceGradient2 struct {
	min, max   int
	queue      func(int) int
	smoothing  float64
	longWindow int
	tolerance  float64

	estimate float64
	limit    int
	value    float64
	sum      float64
	count    int
}

func (r *referenceGradient2) onSample(rtt time.Duration, inFlight int) {
	q := float64(r.queue(int(r.estimate)))
	short := float64(rtt)
	if r.count < 10 {
		r.count = r.count + 1
		r.sum = r.sum + short
		r.value = r.sum / float64(r.count)
	} else {
		f := 2 / float64(r.longWindow+1)
		old := float64(r.value * (1 - f))
		fresh := float64(short * f)
		r.value = old + fresh
	}
	long := r.value
	if long/short > 2 {
		r.value = r.value * 0.95
	}
	if float64(inFlight) < r.estimate/2 {
		r.limit = int(r.estimate)
		return
	}
	g := float64(r.tolerance*long) / short
	if g > 1 {
		g = 1
	}
	if g < 0.5 {
		g = 0.5
	}
	n := float64(r.estimate * g)
	n = n + q
	kept := float64(r.estimate * (1 - r.smoothing))
	added := float64(n * r.smoothing)
	n = kept + added
	if n > float64(r.max) {
		n = float64(r.max)
	}
	if n < float64(r.min) {
		n = float64(r.min)
	}
	r.estimate = n
	r.limit = int(n)
}

// referenceWindowed is the window of the reference, written down likewise.
type referenceWindowed struct {
	minWindow, maxWindow time.Duration
	threshold            time.Duration
	size                 int
	inner                *referenceGradient2

	next      time.Duration
	minRTT    time.Duration
	sum       time.Duration
	inFlight  int
	count     int
	dropped   bool
	delegated *Sample // by the last call, if it did
}

func (r *referenceWindowed) onSample(start, rtt time.Duration, inFlight int, dropped bool) {
	r.delegated = nil
	end := start + rtt
	if rtt < r.threshold {
		return
	}
	if r.count == 0 || rtt < r.minRTT {
		r.minRTT = rtt
	}
	r.sum += rtt
	if inFlight > r.inFlight {
		r.inFlight = inFlight
	}
	r.count++
	if dropped {
		r.dropped = true
	}
	if end <= r.next {
		return
	}
	length := 2 * r.minRTT
	if length < r.minWindow {
		length = r.minWindow
	}
	if length > r.maxWindow {
		length = r.maxWindow
	}
	r.next = end + length
	if r.count >= r.size {
		mean := r.sum / time.Duration(r.count)
		r.delegated = &Sample{RTT: mean, InFlight: r.inFlight, Dropped: r.dropped}
		r.inner.onSample(mean, r.inFlight)
	}
	r.minRTT, r.sum, r.inFlight, r.count, r.dropped = 0, 0, 0, 0, false
}

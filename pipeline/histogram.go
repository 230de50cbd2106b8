package pipeline

import (
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"
	"time"
)

// Histogram is a snapshot of measured durations. Its buckets are 1/32 of an
// octave wide or narrower, so a quantile is at most 3.2 % above the true one.
// The zero value is empty. It covers 1 ns to 73 minutes; what is longer counts
// as 73 minutes, save for Max and Sum.
type Histogram struct {
	Count uint64
	Sum   time.Duration
	Max   time.Duration

	counts []uint64 // by bucket
}

const (
	subBits = 5 // 32 buckets an octave
	octaves = 36
	buckets = (octaves + 2) << subBits
)

// bucket returns the bucket of a duration: itself below 64 ns, and above that
// the number of octaves over 64 ns and the leading 6 bits.
func bucket(d time.Duration) int {
	if d < 0 {
		d = 0
	}
	v := uint64(d)
	shift := max(0, bits.Len64(v)-subBits-1)
	return min(buckets-1, shift<<subBits+int(v>>shift))
}

// upper returns the longest duration of a bucket.
func upper(bucket int) time.Duration {
	shift := max(0, bucket>>subBits-1)
	return time.Duration((bucket-shift<<subBits+1)<<shift - 1)
}

// Quantile returns the duration that the share q of all are at or below, 0
// when nothing was measured. q is clamped to 0..1; NaN counts as 0.
func (h Histogram) Quantile(q float64) time.Duration {
	rank := max(1, uint64(math.Ceil(min(max(q, 0), 1)*float64(h.Count))))
	var seen uint64
	for b, n := range h.counts {
		if seen += n; seen >= rank {
			return min(upper(b), h.Max)
		}
	}
	return 0
}

// Mean returns the mean, 0 when nothing was measured.
func (h Histogram) Mean() time.Duration {
	if h.Count == 0 {
		return 0
	}
	return h.Sum / time.Duration(h.Count)
}

// String tells the count, the mean, the quantiles 0.5 and 0.99, and the longest.
func (h Histogram) String() string {
	return fmt.Sprintf("%d, mean %v, p50 %v, p99 %v, max %v", h.Count, h.Mean(), h.Quantile(0.5), h.Quantile(0.99), h.Max)
}

// Since returns what was measured after the earlier snapshot was taken. Its
// Max is that of its last bucket, since the exact one is not known.
func (h Histogram) Since(earlier Histogram) Histogram {
	d := Histogram{Count: h.Count - earlier.Count, Sum: h.Sum - earlier.Sum, counts: make([]uint64, len(h.counts))}
	for b, n := range h.counts {
		if b < len(earlier.counts) {
			n -= earlier.counts[b]
		}
		if d.counts[b] = n; n > 0 {
			d.Max = min(upper(b), h.Max)
		}
	}
	return d
}

// Buckets calls f with the upper bound and the count of each bucket that is
// not empty, in ascending order.
func (h Histogram) Buckets(f func(upper time.Duration, count uint64)) {
	for b, n := range h.counts {
		if n > 0 {
			f(upper(b), n)
		}
	}
}

// recorder measures durations. Recording costs three atomic adds.
type recorder struct {
	sum    atomic.Int64
	max    atomic.Int64
	counts [buckets]atomic.Uint64
}

func (r *recorder) record(d time.Duration) {
	d = max(0, d)
	r.counts[bucket(d)].Add(1)
	r.sum.Add(int64(d))
	for old := r.max.Load(); int64(d) > old; old = r.max.Load() {
		if r.max.CompareAndSwap(old, int64(d)) {
			return
		}
	}
}

func (r *recorder) snapshot() Histogram {
	h := Histogram{Sum: time.Duration(r.sum.Load()), Max: time.Duration(r.max.Load())}
	last := bucket(h.Max)
	h.counts = make([]uint64, last+1)
	for b := range h.counts {
		h.counts[b] = r.counts[b].Load()
		h.Count += h.counts[b]
	}
	return h
}

package pipeline

import (
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Every bucket begins where the one before it ends.
func TestBucketBounds(t *testing.T) {
	if got := bucket(0); got != 0 {
		t.Errorf("0 is in bucket %d", got)
	}
	for b := range buckets {
		last := upper(b)
		if got := bucket(last); got != b {
			t.Fatalf("upper(%d) = %d is in bucket %d", b, last, got)
		}
		if got := bucket(last + 1); got != min(b+1, buckets-1) {
			t.Fatalf("upper(%d) + 1 = %d is in bucket %d", b, last+1, got)
		}
		width := last
		if b > 0 {
			width -= upper(b - 1)
		}
		if b >= 64 && float64(width) > float64(last)/32 {
			t.Fatalf("bucket %d is %d wide up to %d", b, width, last)
		}
	}
	if got := upper(buckets - 1); got < 73*time.Minute || got > 74*time.Minute {
		t.Errorf("the last bucket ends at %v", got)
	}
	if bucket(-5) != 0 || bucket(math.MaxInt64) != buckets-1 {
		t.Error("what is out of range is not in the outermost buckets")
	}
}

func TestHistogramAgainstSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sample := rapid.Custom(func(t *rapid.T) time.Duration {
			return time.Duration(rapid.Uint64Range(0, 1<<rapid.IntRange(1, 41).Draw(t, "bits")).Draw(t, "d"))
		})
		all := rapid.SliceOfN(sample, 1, 50).Draw(t, "samples")
		h := recorded(all...)
		slices.Sort(all)

		q := rapid.Float64Range(0, 1).Draw(t, "q")
		rank := max(1, int(math.Ceil(q*float64(len(all)))))
		exact := all[rank-1]
		if got := h.Quantile(q); got < exact || float64(got) > float64(exact)*(1+1.0/32) {
			t.Errorf("quantile %v is %d, want %d or up to 1/32 more", q, got, exact)
		}
		var sum time.Duration
		for _, d := range all {
			sum += d
		}
		n := len(all)
		if h.Count != uint64(n) || h.Sum != sum || h.Max != all[n-1] || h.Mean() != sum/time.Duration(n) {
			t.Errorf("count %d, sum %d, max %d, mean %d", h.Count, h.Sum, h.Max, h.Mean())
		}
		if got := h.Quantile(1); got != h.Max {
			t.Errorf("quantile 1 is %d, want the maximum %d", got, h.Max)
		}
		if h.Quantile(-1) != h.Quantile(0) || h.Quantile(2) != h.Quantile(1) {
			t.Error("quantiles are not clamped")
		}
	})
}

// What was recorded after a snapshot is what Since gives, but for Max.
func TestHistogramSinceAgainstRecorded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sample := rapid.Map(rapid.Int64Range(0, 1<<36), func(n int64) time.Duration { return time.Duration(n) })
		before := rapid.SliceOf(sample).Draw(t, "before")
		after := rapid.SliceOf(sample).Draw(t, "after")
		got := recorded(append(before, after...)...).Since(recorded(before...))
		want := recorded(after...)
		if got.Count != want.Count || got.Sum != want.Sum {
			t.Errorf("count %d and sum %d, want %d and %d", got.Count, got.Sum, want.Count, want.Sum)
		}
		if got.Max < want.Max || float64(got.Max) > float64(want.Max)*(1+1.0/32) {
			t.Errorf("max %d, want %d or up to 1/32 more", got.Max, want.Max)
		}
		for b, n := range want.counts {
			if got.counts[b] != n {
				t.Fatalf("bucket %d holds %d, want %d", b, got.counts[b], n)
			}
		}
	})
}

func TestHistogramZero(t *testing.T) {
	for _, h := range []Histogram{{}, recorded(), recorded().Since(Histogram{})} {
		if h.Quantile(0.5) != 0 || h.Mean() != 0 || h.Max != 0 || h.Count != 0 {
			t.Errorf("an empty histogram measures something: %+v", h)
		}
		h.Buckets(func(time.Duration, uint64) { t.Error("an empty histogram has a bucket") })
	}
}

// The last bucket takes all that is longer.
func TestHistogramBeyond(t *testing.T) {
	h := recorded(100*time.Hour, -time.Second)
	if h.Max != 100*time.Hour || h.Sum != 100*time.Hour || h.Quantile(1) != upper(buckets-1) || h.Quantile(0.5) != 0 {
		t.Errorf("max %v, sum %v, quantiles %v and %v", h.Max, h.Sum, h.Quantile(1), h.Quantile(0.5))
	}
}

func TestHistogramBuckets(t *testing.T) {
	var got []time.Duration
	recorded(3, 200, 3, 201).Buckets(func(upper time.Duration, count uint64) {
		got = append(got, upper, time.Duration(count))
	})
	if want := []time.Duration{3, 2, 203, 2}; !slices.Equal(got, want) {
		t.Errorf("got %d, want %d", got, want)
	}
}

func TestRecorderConcurrent(t *testing.T) {
	var r recorder
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 1000 {
				r.record(time.Duration(4*i + worker))
			}
		})
	}
	all.Wait()
	if h := r.snapshot(); h.Count != 4000 || h.Max != 3999 || h.Sum != 3999*4000/2 {
		t.Errorf("count %d, max %d, sum %d", h.Count, h.Max, h.Sum)
	}
}

func recorded(all ...time.Duration) Histogram {
	r := new(recorder)
	for _, d := range all {
		r.record(d)
	}
	return r.snapshot()
}

func TestHistogramString(t *testing.T) {
	var r recorder
	if got, want := r.snapshot().String(), "0, mean 0s, p50 0s, p99 0s, max 0s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for range 9 {
		r.record(10)
	}
	r.record(60)
	if got, want := r.snapshot().String(), "10, mean 15ns, p50 10ns, p99 60ns, max 60ns"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

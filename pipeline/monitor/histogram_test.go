package monitor

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/pipeline"
	dto "github.com/prometheus/client_model/go"
)

// services returns the service histogram, as exported, of 40 entries that took
// a millisecond each.
func services(t *testing.T) *dto.Histogram {
	t.Helper()
	p := ran(t, pipeline.Config[int, int]{}, 40)
	return gather(t, p)["headrace_service_seconds"].Metric[0].GetHistogram()
}

func TestHistogramIsClassic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := services(t)
		if h.GetSampleCount() != 40 || math.Abs(h.GetSampleSum()-0.04) > 1e-9 {
			t.Errorf("count %d, sum %v, want 40 of a millisecond", h.GetSampleCount(), h.GetSampleSum())
		}
		if len(h.Bucket) != len(bounds) {
			t.Fatalf("%d buckets, want %d", len(h.Bucket), len(bounds))
		}
		for _, b := range h.Bucket {
			want := uint64(0)
			// What is measured is up to 3.2 % above the true duration.
			if b.GetUpperBound() > 0.001 {
				want = 40
			}
			if b.GetCumulativeCount() != want {
				t.Errorf("%d up to %v s, want %d", b.GetCumulativeCount(), b.GetUpperBound(), want)
			}
		}
	})
}

func TestHistogramIsNative(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := services(t)
		if h.GetSchema() != schema || len(h.PositiveSpan) != 1 || len(h.PositiveDelta) != 1 || h.PositiveDelta[0] != 40 {
			t.Fatalf("native part %v, want one bucket of 40", h)
		}
		upper := math.Exp2(float64(h.PositiveSpan[0].GetOffset()) / (1 << schema))
		if lower := upper / math.Exp2(1.0/(1<<schema)); lower > 0.00104 || upper < 0.001 {
			t.Errorf("the bucket is %v to %v s, want one that a millisecond is in", lower, upper)
		}
		if h.CreatedTimestamp != nil {
			t.Error("it tells of a creation that was not")
		}
	})
}

// Entries that took no time at all go into the zero bucket.
func TestHistogramOfZeros(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := ran(t, pipeline.Config[int, int]{Workers: 40}, 40)
		h := gather(t, p)["headrace_wait_seconds"].Metric[0].GetHistogram()
		if h.GetZeroCount() != 40 || h.Bucket[0].GetCumulativeCount() != 40 {
			t.Errorf("%d zeros, %d up to %v s, want 40 each", h.GetZeroCount(), h.Bucket[0].GetCumulativeCount(), h.Bucket[0].GetUpperBound())
		}
	})
}

// An empty histogram is valid in both forms.
func TestHistogramOfNothing(t *testing.T) {
	h := gather(t, full())["headrace_age_seconds"].Metric[0].GetHistogram()
	if h.GetSampleCount() != 0 || len(h.Bucket) != len(bounds) || h.Schema == nil {
		t.Errorf("%v, want an empty histogram", h)
	}
}

func TestBoundsAscend(t *testing.T) {
	for i := range bounds[1:] {
		if bounds[i] >= bounds[i+1] {
			t.Errorf("bound %v comes before %v", bounds[i], bounds[i+1])
		}
	}
	if top := time.Duration(bounds[len(bounds)-1] * float64(time.Second)); top < time.Minute {
		t.Errorf("the last bound is %v", top)
	}
}

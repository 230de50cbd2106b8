package governor

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// update writes the project's own traces anew:
//
//	go test -run UpToDate -update ./governor
var update = flag.Bool("update", false, "write the traces in testdata anew")

const traceRows = 240

// write returns the trace as the transcription of the reference makes it.
func (s limitScenario) write() []byte {
	var b bytes.Buffer
	o := s.options
	size, queue, kind := s.queue, "const", "gradient2"
	inner := &referenceGradient2{
		min: o.Min, max: o.Max, smoothing: o.Smoothing, longWindow: o.LongWindow, tolerance: o.Tolerance,
		estimate: float64(o.Initial), limit: o.Initial,
		queue: func(int) int { return size },
	}
	if s.queue < 0 {
		size, queue = 0, "tenth"
		inner.queue = func(limit int) int { return max(1, limit/10) }
	}
	var outer *referenceWindowed
	if w := s.windows; w != nil {
		kind = "windowed"
		outer = &referenceWindowed{minWindow: w.Window, maxWindow: w.MaxWindow, threshold: w.MinRTT, size: w.Samples, inner: inner}
	}
	fmt.Fprintf(&b, "# kind=%s scenario=%s initial_limit=%d min_limit=%d max_limit=%d queue_size=%d queue_func=%s smoothing=%v long_window=%d warmup_window=10 rtt_tolerance=%v",
		kind, s.name, o.Initial, o.Min, o.Max, size, queue, o.Smoothing, o.LongWindow, o.Tolerance)
	if w := s.windows; w != nil {
		fmt.Fprintf(&b, " min_window_ns=%d max_window_ns=%d min_rtt_threshold_ns=%d window_size=%d sample_window=average",
			w.Window, w.MaxWindow, w.MinRTT, w.Samples)
	}
	b.WriteString("\nstart_ns,rtt_ns,inflight,dropped,limit_after,")
	if outer != nil {
		b.WriteString("window_end_after,delegated,d_rtt_ns,d_inflight,d_dropped,")
	}
	b.WriteString("estimate_after,long_rtt_after\n")

	r := rand.New(rand.NewPCG(1, 2))
	at := time.Second
	for i := range traceRows {
		rtt, inFlight, gap := s.input(i, inner.limit, r)
		at += gap
		dropped := i%11 == 10
		if outer != nil {
			outer.onSample(at, rtt, inFlight, dropped)
		} else {
			inner.onSample(rtt, inFlight)
		}
		fmt.Fprintf(&b, "%d,%d,%d,%s,%d,", at, rtt, inFlight, bit(dropped), inner.limit)
		if outer != nil {
			b.WriteString(outer.columns())
		}
		fmt.Fprintf(&b, "%v,%v\n", inner.estimate, inner.value)
	}
	return b.Bytes()
}

func (r *referenceWindowed) columns() string {
	if d := r.delegated; d != nil {
		return fmt.Sprintf("%d,1,%d,%d,%s,", r.next, d.RTT, d.InFlight, bit(d.Dropped))
	}
	return fmt.Sprintf("%d,0,,,,", r.next)
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// The traces are what the transcription makes of the scenarios, no more and no
// less.
func TestOwnTracesAreUpToDate(t *testing.T) {
	for _, s := range limitScenarios {
		path := filepath.Join(own, s.name+".csv")
		if *update {
			if err := os.WriteFile(path, s.write(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, s.write()) {
			t.Errorf("%s is not what the scenario makes: %v", path, err)
		}
	}
	if got := len(files(t, own, "*.csv")); got != len(limitScenarios) {
		t.Errorf("%d files in %s, want %d", got, own, len(limitScenarios))
	}
}

// The transcription itself is right: it reproduces the reference.
func TestTranscriptionReplaysTheReference(t *testing.T) {
	for _, path := range reference(t, "g*.csv") {
		tr := readTrace(t, path)
		o := tr.gradient2(t)
		r := &referenceGradient2{
			min: o.Min, max: o.Max, queue: o.QueueFunc, smoothing: o.Smoothing,
			longWindow: o.LongWindow, tolerance: o.Tolerance, estimate: float64(o.Initial), limit: o.Initial,
		}
		for i, row := range tr.rows {
			if r.onSample(row.rtt, row.inFlight); r.limit != row.limit || r.estimate != row.estimate || r.value != row.long {
				t.Fatalf("%s, row %d: limit %d, want %d", path, i+1, r.limit, row.limit)
			}
		}
	}
}

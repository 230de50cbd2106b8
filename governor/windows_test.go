package governor

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// recorder keeps what a window passed on.
type recorder struct {
	Algorithm
	samples []Sample
}

func (r *recorder) Observe(s Sample) int {
	r.samples = append(r.samples, s)
	return r.Algorithm.Observe(s)
}

func newWindows(t testing.TB, o Windowed) (*windows, *recorder) {
	t.Helper()
	w := start(t, &o).(*windows)
	r := &recorder{Algorithm: w.inner}
	w.inner = r
	return w, r
}

// replayWindows replays in compat mode. Everything is compared exactly.
func replayWindows(t *testing.T, tr trace) int {
	g := newGradient(tr.gradient2(t))
	r := &recorder{Algorithm: g}
	w := &windows{compat: true, inner: r, options: Windowed{
		Window:    tr.duration(t, "min_window_ns"),
		MaxWindow: tr.duration(t, "max_window_ns"),
		MinRTT:    tr.duration(t, "min_rtt_threshold_ns"),
		Samples:   number[int](t, tr.params["window_size"]),
	}}
	q := newQuantile(t, tr.params["sample_window"], r)
	if q != nil {
		w.inner = q
	}
	for i, row := range tr.rows {
		r.samples = nil
		if q != nil {
			q.add(row.rtt)
		}
		got := w.Observe(Sample{At: row.start + row.rtt, RTT: row.rtt, InFlight: row.inFlight, Dropped: row.dropped})
		if q != nil && w.open.count == 0 {
			q.kept = nil
		}
		if got != row.limit || w.ends != row.ends || g.estimate != row.estimate || g.baseline.value != row.long {
			t.Fatalf("row %d: limit %d, window ends %d, estimate %v, long RTT %v; want %d, %d, %v, %v", i+1,
				got, w.ends, g.estimate, g.baseline.value, row.limit, row.ends, row.estimate, row.long)
		}
		if row.delegated == nil != (r.samples == nil) {
			t.Fatalf("row %d passed on %v, want %v", i+1, r.samples, row.delegated)
		}
		if row.delegated == nil {
			continue
		}
		r.samples[0].At = 0
		if r.samples[0] != *row.delegated {
			t.Fatalf("row %d passed on %+v, want %+v", i+1, r.samples[0], *row.delegated)
		}
	}
	return len(tr.rows)
}

// quantile puts a quantile of the first RTTs of a window in the place of their
// mean, which the reference can and Windowed cannot.
type quantile struct {
	Algorithm
	p    float64
	most int
	kept []time.Duration
}

func newQuantile(t *testing.T, param string, inner Algorithm) *quantile {
	t.Helper()
	parts := strings.Split(param, ":")
	if parts[0] != "percentile" {
		return nil
	}
	most, err := strconv.Atoi(parts[2])
	if err != nil {
		t.Fatal(err)
	}
	return &quantile{Algorithm: inner, p: number[float64](t, parts[1]), most: most}
}

func (q *quantile) add(rtt time.Duration) {
	if len(q.kept) < q.most {
		q.kept = append(q.kept, rtt)
	}
}

func (q *quantile) Observe(s Sample) int {
	slices.Sort(q.kept)
	s.RTT = q.kept[int(math.Round(float64(len(q.kept))*q.p))-1]
	return q.Algorithm.Observe(s)
}

func TestWindowsReplayTheReference(t *testing.T) {
	replayAll(t, reference(t, "w*.csv"), replayWindows)
}

func TestWindowsReplayTheirOwnTraces(t *testing.T) {
	replayAll(t, files(t, own, "w*.csv"), replayWindows)
}

func TestWindowsStayOpenUntilTheyAreReady(t *testing.T) {
	w, r := newWindows(t, Windowed{Samples: 4})
	for i := range 8 {
		w.Observe(observation(float64(2 * i)))
	}
	if len(r.samples) != 2 || r.samples[0].At != seconds(6) || r.samples[1].At != seconds(14) {
		t.Errorf("passed on %+v, want one for each 4 samples", r.samples)
	}
}

// Low traffic never moves the reference. Here its windows fill up in the end:
// at a sample each 150 ms with every tenth, and at one each 95 to 110 ms with
// each window of a second. And no sample is too short for one.
func TestWindowsCarryOver(t *testing.T) {
	tests := []struct {
		pattern string
		least   time.Duration // between two updates
		updates [2]int        // at least, at most
	}{
		{"w03*.csv", 1300 * ms, [2]int{200, 200}},
		{"w04*.csv", time.Second, [2]int{165, 190}},
		{"w05*.csv", time.Second, [2]int{45, 50}},
	}
	for _, test := range tests {
		tr := readTrace(t, reference(t, test.pattern)[0])
		w, r := newWindows(t, Windowed{})
		for _, row := range tr.rows {
			w.Observe(Sample{At: row.start + row.rtt, RTT: row.rtt, InFlight: row.inFlight})
		}
		if n := len(r.samples); n < test.updates[0] || n > test.updates[1] {
			t.Errorf("%s: %d updates, want %v", test.pattern, n, test.updates)
		}
		for i := range r.samples[1:] {
			if d := r.samples[i+1].At - r.samples[i].At; d < test.least {
				t.Fatalf("%s: only %v between two updates", test.pattern, d)
			}
		}
	}
}

// observation is a sample of 10 ms in flight alone, in seconds.
func observation(at float64) Sample {
	return Sample{At: seconds(at), RTT: 10 * ms, InFlight: 1}
}

func TestWindowsBeginWithTheFirstSample(t *testing.T) {
	w, r := newWindows(t, Windowed{Samples: 2})
	w.Observe(observation(-5))   // a clock may be negative
	w.Observe(observation(-4))   // 1 s is not over 1 s
	w.Observe(observation(-3.9)) // closes
	w.Observe(observation(100))  // idle since: begins the next
	w.Observe(observation(100.9))
	w.Observe(observation(101.1)) // closes
	if len(r.samples) != 2 || r.samples[0].At != seconds(-3.9) || r.samples[1].At != seconds(101.1) {
		t.Errorf("passed on %+v", r.samples)
	}
}

func TestWindowsPassOnMeanMaximumAndDrops(t *testing.T) {
	w, r := newWindows(t, Windowed{Samples: 3})
	w.Observe(Sample{At: 1, RTT: 10 * ms, InFlight: 2})
	w.Observe(Sample{At: 2, RTT: 15 * ms, InFlight: 7, Dropped: true})
	w.Observe(Sample{At: seconds(2), RTT: 20*ms + 2, InFlight: 3})
	want := Sample{At: seconds(2), RTT: 15 * ms, InFlight: 7, Dropped: true}
	if len(r.samples) != 1 || r.samples[0] != want {
		t.Fatalf("passed on %+v, want %+v", r.samples, want)
	}
	got := w.Reading().Window
	if got != (Window{End: seconds(2), RTT: 15 * ms, InFlight: 7, Dropped: true, Samples: 3}) {
		t.Errorf("last window %+v", got)
	}
	// The next one knows nothing of it.
	w.Observe(observation(3))
	w.Observe(observation(3.1))
	w.Observe(observation(5))
	if got := r.samples[1]; got.InFlight != 1 || got.Dropped || got.RTT != 10*ms {
		t.Errorf("passed on %+v", got)
	}
}

func TestWindowsOfDropsAloneClose(t *testing.T) {
	w, r := newWindows(t, Windowed{})
	dropped := func(at float64) Sample { s := observation(at); s.Dropped = true; return s }
	w.Observe(dropped(0))
	w.Observe(dropped(2))
	if len(r.samples) != 1 || !r.samples[0].Dropped {
		t.Fatalf("passed on %+v, want one window of drops", r.samples)
	}
	w.Observe(observation(3)) // a success among them: not enough
	w.Observe(dropped(5))
	w.Observe(dropped(6))
	if len(r.samples) != 1 {
		t.Errorf("passed on %+v, want no more", r.samples)
	}
}

func TestWindowsAge(t *testing.T) {
	w, r := newWindows(t, Windowed{Samples: 2, MaxAge: 10 * time.Second})
	w.Observe(observation(0))
	w.Observe(observation(10)) // just in time
	if len(r.samples) != 1 {
		t.Fatalf("passed on %+v, want one window", r.samples)
	}
	w.Observe(observation(20))
	w.Observe(observation(30.1)) // too late: the one at 20 is thrown away
	if len(r.samples) != 1 {
		t.Fatalf("passed on %+v, want no more", r.samples)
	}
	w.Observe(Sample{At: seconds(30.2), RTT: 20 * ms, InFlight: 5})
	w.Observe(observation(300)) // the window from 30.1 has enough: passed on
	if len(r.samples) != 2 || r.samples[1].RTT != 15*ms || r.samples[1].InFlight != 5 {
		t.Fatalf("passed on %+v", r.samples)
	}
	if w.open.count != 1 {
		t.Errorf("%d samples in the open window, want 1", w.open.count)
	}
}

// A window is twice the least RTT of the one before, within its bounds.
func TestWindowsLength(t *testing.T) {
	w, _ := newWindows(t, Windowed{Window: 100 * ms, MaxWindow: time.Second, Samples: 1})
	at := time.Duration(0)
	for _, test := range []struct{ rtt, want time.Duration }{
		{10 * ms, 100 * ms}, {200 * ms, 400 * ms}, {5 * time.Second, time.Second},
	} {
		w.Observe(Sample{At: at, RTT: test.rtt})
		w.Observe(Sample{At: at + time.Hour, RTT: 2 * test.rtt})
		at += 2 * time.Hour
		// The second began a window: the first one was too old, but enough.
		w.Observe(Sample{At: at, RTT: test.rtt})
		w.Observe(Sample{At: at + 2*time.Second, RTT: 2 * test.rtt})
		at += time.Minute
		if w.length != test.want {
			t.Errorf("RTT %v: the next window has %v, want %v", test.rtt, w.length, test.want)
		}
	}
}

func TestWindowsIgnoreShortRTTs(t *testing.T) {
	w, r := newWindows(t, Windowed{Samples: 1, MinRTT: ms})
	w.Observe(Sample{At: 0, RTT: ms - 1, InFlight: 100, Dropped: true})
	w.Observe(Sample{At: 1, RTT: ms, InFlight: 1})
	w.Observe(Sample{At: seconds(3), RTT: ms, InFlight: 1})
	if len(r.samples) != 1 || r.samples[0].InFlight != 1 || r.samples[0].Dropped {
		t.Errorf("passed on %+v", r.samples)
	}
}

// Nothing is below a threshold of 0.
func TestWindowsTakeAnRTTOfZeroFor1ns(t *testing.T) {
	w, r := newWindows(t, Windowed{Samples: 1})
	w.Observe(Sample{At: 0, RTT: -time.Hour})
	w.Observe(Sample{At: seconds(2), RTT: 0})
	if len(r.samples) != 1 || r.samples[0].RTT != 1 {
		t.Errorf("passed on %+v", r.samples)
	}
}

// Drops count once for each window.
func TestWindowsBackOffOnce(t *testing.T) {
	a := start(t, &Windowed{Limit: &Gradient2{Initial: 100, DropBackoff: true}})
	for i := range 50 {
		a.Observe(Sample{At: time.Duration(i) * ms, RTT: ms, InFlight: 100, Dropped: true})
	}
	if got := a.Limit(); got != 100 {
		t.Errorf("limit %d within the window, want 100", got)
	}
	a.Observe(Sample{At: 2 * time.Second, RTT: ms, InFlight: 100})
	if got := a.Limit(); got != 90 {
		t.Errorf("limit %d after it, want 90", got)
	}
}

func BenchmarkWindowed(b *testing.B) {
	a := start(b, &Windowed{})
	at := time.Duration(0)
	b.ReportAllocs()
	for b.Loop() {
		at += ms
		a.Observe(Sample{At: at, RTT: ms, InFlight: 200})
	}
}

package quota

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Every trace is replayed row by row. Tolerances: window exact; rate to 1e-9;
// violation exact unless the rate is within 1e-9 of the limit; delay to 1 ms.
func TestReferenceTraces(t *testing.T) {
	dir := shared(t)
	var paths []string
	for _, pattern := range []string{"0*.csv", "1[0-6]*.csv", "21*.csv"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) != 24 {
		t.Errorf("%d traces, want 24", len(paths))
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) { replay(t, readTrace(t, path), strings.HasPrefix(name, "21_")) })
	}
}

func TestOwnTraces(t *testing.T) {
	for _, name := range []string{"single.csv", "smoothed.csv", "bytes.csv"} {
		t.Run(name, func(t *testing.T) {
			f := readTrace(t, filepath.Join("testdata", name))
			replay(t, f, f.params["quota_window_num"] == "1")
		})
	}
}

// replayed is an account in the units of a trace.
type replayed struct {
	*account
	unit float64 // what 1 in the trace is in units of the account
}

func newReplayed(t *testing.T, f traceFile, floor bool) replayed {
	o := &Options{
		Samples:  int(f.number(t, "quota_window_num")),
		Window:   time.Duration(f.number(t, "quota_window_size_s")) * time.Second,
		MaxDelay: math.MaxInt64,
	}
	k, unit := producerBytes, 1.0
	if f.params["kind"] == "request-time" {
		k, unit = requestTime, 1e7 // a percent of a thread is 10 ms per second
	}
	a := newAccount(k, Entity{}, o)
	a.window.floor = floor || o.Samples == 1
	r := replayed{a, unit}
	r.bound(f.number(t, "initial_bound"))
	return r
}

// bound sets the limit. The largest integer of Java means none.
func (r replayed) bound(v float64) {
	if v > 9e18 {
		v = math.Inf(1)
	}
	r.limit.rate = v * r.unit
}

func replay(t *testing.T, f traceFile, floor bool) {
	a := newReplayed(t, f, floor)
	checked := 0
	for _, row := range f.rows {
		at := row.ms(t, "t_ms")
		switch row["op"] {
		case "quota":
			a.bound(row.float(t, "value"))
			continue
		case "nochk":
			a.window.record(at, row.int(t, "value"))
			a.checkReading(t, row, a.window.read(at))
			continue
		}
		out := a.charge(nil, at, at, row.int(t, "value"))
		r := a.window.read(at)
		want := a.checkReading(t, row, r)
		a.checkDelay(t, row, want, r, out.delay)
		checked++
	}
	t.Logf("%d rows, %d of them checked charges", len(f.rows), checked)
}

// expected is what a row demands.
type expected struct {
	rate, bound float64 // in units of the account
	span        time.Duration
}

// checkReading compares rate and window. A single sample is read with a window
// of at least its size, where Kafka's own rule (15_config_num1) measures the first
// record over 1 ms: the sum is the same, the rate follows.
func (a replayed) checkReading(t *testing.T, row row, got reading) expected {
	t.Helper()
	want := expected{rate: row.float(t, "observed") * a.unit, bound: a.limit.rate, span: row.ms(t, "window_ms")}
	if a.window.floor && want.span < a.window.size {
		want.rate *= float64(want.span) / float64(a.window.size)
		want.span = a.window.size
	}
	if got.span != want.span {
		t.Errorf("seq %s: window %v, want %v", row["seq"], got.span, want.span)
	}
	if math.Abs(got.rate()-want.rate) > 1e-9*math.Abs(want.rate) {
		t.Errorf("seq %s: rate %v, want %v", row["seq"], got.rate(), want.rate)
	}
	return want
}

// checkDelay compares with the columns of the trace. Where the floor applies they
// are about another window, and the formula takes their place.
func (a replayed) checkDelay(t *testing.T, row row, want expected, r reading, got time.Duration) {
	t.Helper()
	violated := row["violated"] == "1"
	delay := row.float(t, "throttle_uncapped_ms") * 1e6
	if want.span != row.ms(t, "window_ms") {
		violated = want.rate > want.bound
		delay = max(0, (want.rate-want.bound)/want.bound*float64(want.span))
	}
	if tied := math.Abs(want.rate-want.bound) <= 1e-9*want.bound; r.over(want.bound) != violated && !tied {
		t.Errorf("seq %s: violated %v, want %v", row["seq"], !violated, violated)
	}
	if a.kind == requestTime {
		delay = min(delay, float64(a.window.size))
	}
	delay = min(delay, math.MaxInt64) // in 08 Kafka's integers overflow here, and there is no delay
	if got < 0 || math.Abs(float64(got)-delay) > 1e6 {
		t.Errorf("seq %s: delay %v, want %v", row["seq"], got, time.Duration(delay))
	}
}

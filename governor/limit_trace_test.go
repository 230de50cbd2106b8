package governor

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// trace is a recorded run of the reference: its parameters, and one row for
// each sample with the state after it.
type trace struct {
	params map[string]string
	rows   []traceRow
}

type traceRow struct {
	start    time.Duration
	rtt      time.Duration
	inFlight int
	dropped  bool

	limit    int
	estimate float64
	long     float64

	// of a window
	ends      time.Duration
	delegated *Sample
}

// traces are those that were read before: several tests replay the same ones.
var traces = map[string]trace{}

func readTrace(t *testing.T, path string) trace {
	t.Helper()
	if tr, ok := traces[path]; ok {
		return tr
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(string(text), "\n")
	tr := trace{params: map[string]string{}}
	for pair := range strings.FieldsSeq(strings.TrimPrefix(head, "#")) {
		key, value, _ := strings.Cut(pair, "=")
		tr.params[key] = value
	}
	records, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, record := range records[1:] {
		tr.rows = append(tr.rows, newTraceRow(t, records[0], record))
	}
	if len(tr.rows) == 0 {
		t.Fatalf("%s has no rows", path)
	}
	traces[path] = tr
	return tr
}

func newTraceRow(t *testing.T, columns, record []string) traceRow {
	t.Helper()
	cell := map[string]string{}
	for i, name := range columns {
		cell[name] = record[i]
	}
	r := traceRow{
		start:    time.Duration(number[int64](t, cell["start_ns"])),
		rtt:      time.Duration(number[int64](t, cell["rtt_ns"])),
		inFlight: number[int](t, cell["inflight"]),
		dropped:  cell["dropped"] == "1",
		limit:    number[int](t, cell["limit_after"]),
		estimate: number[float64](t, cell["estimate_after"]),
		long:     number[float64](t, cell["long_rtt_after"]),
	}
	if end, ok := cell["window_end_after"]; ok {
		r.ends = time.Duration(number[int64](t, end))
	}
	if cell["delegated"] == "1" {
		r.delegated = &Sample{
			RTT:      time.Duration(number[int64](t, cell["d_rtt_ns"])),
			InFlight: number[int](t, cell["d_inflight"]),
			Dropped:  cell["d_dropped"] == "1",
		}
	}
	return r
}

func number[N int | int64 | float64](t *testing.T, text string) N {
	t.Helper()
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return N(n)
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatalf("not a number: %q", text)
	}
	return N(n)
}

// gradient2 returns the options that the trace was recorded with.
func (tr trace) gradient2(t *testing.T) Gradient2 {
	t.Helper()
	o := Gradient2{
		Initial:    number[int](t, tr.params["initial_limit"]),
		Min:        number[int](t, tr.params["min_limit"]),
		Max:        number[int](t, tr.params["max_limit"]),
		Smoothing:  number[float64](t, tr.params["smoothing"]),
		LongWindow: number[int](t, tr.params["long_window"]),
		Tolerance:  number[float64](t, tr.params["rtt_tolerance"]),
	}
	size := number[int](t, tr.params["queue_size"])
	switch f := tr.params["queue_func"]; f {
	case "const":
		o.QueueFunc = func(int) int { return size } // Queue has no 0
	case "tenth":
		o.QueueFunc = func(limit int) int { return max(1, limit/10) }
	default:
		t.Fatalf("unknown queue_func %q", f)
	}
	if got := tr.params["warmup_window"]; got != strconv.Itoa(warmUp) {
		t.Fatalf("a warm-up of %s cannot be replayed", got)
	}
	return o
}

func (tr trace) duration(t *testing.T, name string) time.Duration {
	t.Helper()
	return time.Duration(number[int64](t, tr.params[name]))
}

// own is the folder of the project's own traces, which a fresh clone has.
const own = "testdata/limit"

// reference returns the traces of the reference implementation. Without them
// the test is skipped, or fails if HEADRACE_REQUIRE=1 says that nothing may be
// missing.
func reference(t *testing.T, pattern string) []string {
	t.Helper()
	shared := os.Getenv("HEADRACE_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "shared")
	}
	folder := filepath.Join(shared, "traces", "gradient2")
	if _, err := os.Stat(folder); err != nil {
		if os.Getenv("HEADRACE_REQUIRE") == "1" {
			t.Fatalf("the traces are required: %v", err)
		}
		t.Skipf("the traces are not there: %v", err)
	}
	return files(t, folder, pattern)
}

func files(t *testing.T, folder, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s in %s: %v", pattern, folder, err)
	}
	return paths
}

// replayAll replays each file as a test of its own and reports the rows. The
// function returns how many it replayed.
func replayAll(t *testing.T, paths []string, replay func(*testing.T, trace) int) {
	t.Helper()
	rows := 0
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".csv"), func(t *testing.T) {
			rows += replay(t, readTrace(t, path))
		})
	}
	t.Logf("%d rows of %d files replayed", rows, len(paths))
}

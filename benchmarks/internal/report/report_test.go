package report

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// sample is a report with every kind of row: a bar that holds, one that holds
// noisily, one that does not, one whose side failed, and two goals, one of which
// is reached.
func sample() Report {
	results := []bench.Result{
		{
			Scenario: "merge", Name: "1,000 <string> keys", About: "Each side puts & nothing is taken.",
			Metrics: []bench.Metric{{Name: "put", Unit: "ns/op", Less: true}, {Name: "allocs", Unit: "allocs/op", Less: true}},
			Bars: []bench.Bar{
				{Metric: "put", Rival: "map", AtMost: 1.1, Source: "the design"},
				{Metric: "put", AtMost: 29},
				{Metric: "allocs"},
				{Metric: "put", Rival: "map", AtMost: 0.5, Goal: true, Source: "the plan"},
				{Metric: "put", AtMost: 30, Goal: true, Source: "the plan"},
			},
			Sides: []bench.SideResult{
				side("Headrace", bench.Sample{"put": 26, "allocs": 0}, bench.Sample{"put": 28, "allocs": 0}, bench.Sample{"put": 34, "allocs": 0}),
				side("map", bench.Sample{"put": 28}, bench.Sample{"put": 28}, bench.Sample{"put": 2800}),
			},
		},
		{
			Scenario: "hop", Name: "one value", About: "From arrival to handler.",
			Metrics: []bench.Metric{{Name: "throughput", Unit: "updates/s"}},
			Bars: []bench.Bar{
				{Metric: "throughput", Rival: "Benthos", AtLeast: 500},
				{Metric: "throughput", Rival: "channel", AtLeast: 1},
			},
			Sides: []bench.SideResult{
				side("Headrace", bench.Sample{"throughput": 9.6e6}),
				side("Benthos", bench.Sample{"throughput": 24_000}),
				{Name: "channel", Error: "run 1: lost 3 values"},
			},
		},
	}
	return Report{
		Machine: Machine{CPU: "Test CPU", Cores: 2, GOMAXPROCS: 2, Go: "go1.26", OS: "linux/amd64", Load: "0.10 0.20 0.30",
			Commit: "0123456789abcdef0123456789abcdef01234567", Dirty: true},
		Options: Options{Scenarios: []string{"merge", "hop"}, Quick: true, Runs: 3, AboutMS: 50, Margin: 1},
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		Seconds: 61.4,
		Rows:    bench.Rows(results, 1),
		Results: results,
	}
}

func side(name string, samples ...bench.Sample) bench.SideResult {
	s := bench.SideResult{Name: name}
	for i, sample := range samples {
		s.Measured = append(s.Measured, bench.Measurement{Run: i + 1, Place: 1, Seconds: 0.1, Sample: sample})
	}
	return s
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	if err := sample().Write(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{PageFile, JSONFile, BarsFile, SamplesFile} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if err := sample().Write(filepath.Join(dir, "missing")); err == nil {
		t.Error("into a missing directory: no error")
	}
}

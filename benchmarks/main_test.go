package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/headrace/headrace/benchmarks/internal/bench"
	"github.com/headrace/headrace/benchmarks/internal/report"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// takes is a Measure that always says the same.
func takes(ns float64) func(context.Context, time.Duration) (bench.Sample, error) {
	return func(context.Context, time.Duration) (bench.Sample, error) {
		return bench.Sample{"put": ns}, nil
	}
}

// fakes returns two cases: one in which Headrace takes 1.2 times as long as its
// rival, where 1.1 is allowed, and one that it wins.
func fakes(bench.Options) []bench.Case {
	fake := func(scenario string, ns float64) bench.Case {
		return bench.Case{
			Scenario: scenario,
			Name:     "keys",
			Metrics:  []bench.Metric{{Name: "put", Unit: "ns/op", Less: true}},
			Sides:    []bench.Side{{Name: "Headrace", Measure: takes(ns)}, {Name: "map", Measure: takes(100)}},
			Bars:     []bench.Bar{{Metric: "put", Rival: "map", AtMost: 1.1}},
		}
	}
	return []bench.Case{fake("slow", 120), fake("fast", 50)}
}

// try runs the program with the fakes, or with cases if there are any.
func try(t *testing.T, gather func(bench.Options) []bench.Case, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	status = run(t.Context(), args, gather, &out, &errs)
	return status, out.String(), errs.String()
}

func TestStatus(t *testing.T) {
	failing := func(o bench.Options) []bench.Case {
		cases := fakes(o)[1:]
		cases[0].Sides[1].Measure = func(context.Context, time.Duration) (bench.Sample, error) {
			return nil, errors.New("lost 3")
		}
		return cases
	}
	aiming := func(o bench.Options) []bench.Case {
		cases := fakes(o)
		cases[0].Bars[0].Goal, cases[0].Bars[0].Source = true, "plan"
		return cases
	}
	malformed := func(o bench.Options) []bench.Case { return append(fakes(o), fakes(o)...) }
	for _, tt := range []struct {
		name   string
		gather func(bench.Options) []bench.Case
		args   string
		want   int
		stderr string
	}{
		{"a bar is missed, nobody asks", fakes, "", 0, "100 %"},
		{"a bar is missed", fakes, "-check", 1, "a bar does not hold"},
		{"within the margin", fakes, "-check -margin 1.2", 0, ""},
		{"the other scenario", fakes, "-check -scenario fast", 0, ""},
		{"a side fails, nobody asks", failing, "", 0, ""},
		{"a side fails", failing, "-check -margin 1000", 1, "a side failed"},
		{"a goal is not reached", aiming, "-check", 0, "100 %"},
		{"two cases of one name", malformed, "", 1, "slow, keys: there are two cases of this name"},
		{"help", fakes, "-h", 0, "-scenario names"},
	} {
		status, stdout, stderr := try(t, tt.gather, strings.Fields(tt.args)...)
		if status != tt.want || !strings.Contains(stderr, tt.stderr) {
			t.Errorf("%s: got status %d, want %d\n%s%s", tt.name, status, tt.want, stdout, stderr)
		}
	}
}

func TestBadFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-scenario nosuch":      "-scenario nosuch: expected one of slow, fast",
		"-scenario slow,,fast":  "expected names joined by commas",
		"-runs -1":              "-runs -1: expected a number from 1",
		"-runs many":            `invalid value "many" for flag -runs`,
		"-margin 0.9":           "-margin 0.9: expected a factor from 1",
		"-margin NaN":           "-margin NaN: expected a factor from 1",
		"-replay no/such/file":  "-replay: stat no/such/file",
		"-replay .":             "-replay .: expected a file, this is a directory",
		"-out main.go/report":   "-out: mkdir main.go: not a directory",
		"quick":                 `argument "quick": expected flags only`,
		"-quick -nosuch":        "flag provided but not defined: -nosuch",
		"-list -scenario merge": "-scenario merge: expected one of slow, fast",
	} {
		status, stdout, stderr := try(t, fakes, strings.Fields(args)...)
		if status != 2 || !strings.Contains(stderr, want) || stdout != "" {
			t.Errorf("%s: got status %d, %q, want 2 and %q", args, status, stderr, want)
		}
	}
}

func TestOptionsReachTheCases(t *testing.T) {
	var got bench.Options
	gather := func(o bench.Options) []bench.Case {
		got = o
		return fakes(o)
	}
	try(t, gather, "-quick", "-list", "-replay", "main.go")
	if want := (bench.Options{Quick: true, Replay: "main.go"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestTable(t *testing.T) {
	_, stdout, _ := try(t, fakes, "-scenario", "fast", "-runs", "2")
	for _, want := range []string{"fast: keys", "50 ns/op", "100 ns/op", "0.50 (0.50 to 0.50)", "<= 1.1", "holds", "1 of 1 bars hold."} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is missing in\n%s", want, stdout)
		}
	}
	if strings.Contains(stdout, "slow") {
		t.Error("the other scenario was measured too")
	}
}

func TestOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	status, stdout, stderr := try(t, fakes, "-quick", "-out", dir)
	if status != 0 || !strings.Contains(stdout, filepath.Join(dir, report.PageFile)) {
		t.Fatalf("got status %d, %s%s", status, stdout, stderr)
	}
	raw, err := os.ReadFile(filepath.Join(dir, report.JSONFile))
	if err != nil {
		t.Fatal(err)
	}
	var r report.Report
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	if !r.Options.Quick || r.Options.Runs != 5 || r.Options.AboutMS != 50 || len(r.Results) != 2 || r.Interrupted {
		t.Errorf("got %+v and %d results", r.Options, len(r.Results))
	}
}

// TestInterrupted checks that an interrupted run reports what it has, and fails.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	gather := func(o bench.Options) []bench.Case {
		cases := fakes(o)
		cases[1].Sides[1].Measure = func(ctx context.Context, _ time.Duration) (bench.Sample, error) {
			cancel()
			return nil, ctx.Err()
		}
		return cases
	}
	dir := t.TempDir()
	var stdout, stderr strings.Builder
	status := run(ctx, []string{"-out", dir}, gather, &stdout, &stderr)
	if status != 1 || !strings.Contains(stderr.String(), "partial: context canceled") {
		t.Errorf("got status %d, %s", status, stderr.String())
	}
	if !strings.Contains(stdout.String(), "120 ns/op") || !strings.Contains(stdout.String(), "not measured") {
		t.Errorf("got %s", stdout.String())
	}
	if _, err := os.Stat(filepath.Join(dir, report.PageFile)); err != nil {
		t.Error(err)
	}
}

func TestList(t *testing.T) {
	status, stdout, stderr := try(t, fakes, "-list")
	want := "slow\n  keys: Headrace; map\nfast\n  keys: Headrace; map\n"
	if status != 0 || stdout != want || stderr != "" {
		t.Errorf("got status %d, %q, %q", status, stdout, stderr)
	}
}

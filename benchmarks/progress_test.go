package main

import (
	"strings"
	"testing"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// TestLines checks that what is not a terminal gets one line for every tenth.
func TestLines(t *testing.T) {
	var b strings.Builder
	progress := newProgress(&b)
	for done := range 41 {
		progress(bench.Step{Done: done, Total: 40, Run: 1 + done/20, Runs: 2, Scenario: "merge", Side: "map"})
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 11 || lines[5] != " 50 %: 20 of 40 measurements, run 2 of 2" {
		t.Errorf("got %q", lines)
	}
}

// TestBar checks that the bar says what is measured, and is gone at the end.
func TestBar(t *testing.T) {
	var b strings.Builder
	progress := bar(&b)
	progress(bench.Step{Done: 0, Total: 2, Run: 1, Runs: 1, Scenario: "merge", Side: "a side with a name that is long"})
	if !strings.Contains(b.String(), "run 1/1 merge: a side with a name that …") {
		t.Errorf("got %q", b.String())
	}
	progress(bench.Step{Done: 2, Total: 2, Run: 1, Runs: 1})
	if got := b.String(); !strings.HasSuffix(got, " \r") {
		t.Errorf("the line is not cleared: %q", got)
	}
}

package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// TestTable checks the rows, with runs of spaces and lines made one space.
func TestTable(t *testing.T) {
	var b bytes.Buffer
	if err := sample().WriteTable(&b, false, false); err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`[ │]+`).ReplaceAllString(b.String(), " ")
	for _, want := range []string{
		" figure rival ratio (quartiles) bar or goal verdict ",
		" merge: 1,000 <string> keys ",
		" put, Headrace against map 28 ns/op 28 ns/op 0.93 (0.47 to 0.96) <= 1.1 holds ",
		" put, Headrace 28 ns/op <= 29 ns/op holds (noisy) ",
		" throughput, Headrace against Benthos 9.60 M updates/s 24 k updates/s 400 >= 500 does not hold ",
		" throughput, Headrace against channel 9.60 M updates/s >= 1 failed: channel failed ",
		" put, Headrace against map 28 ns/op 28 ns/op 0.93 (0.47 to 0.96) goal <= 0.5 not reached ",
		" put, Headrace 28 ns/op goal <= 30 ns/op reached ",
		" channel failed: run 1: lost 3 values ",
		"Test CPU, 2 cores, GOMAXPROCS 2, go1.26, linux/amd64, commit 0123456789ab (changed), load before 0.10 0.20 0.30\n",
		"3 of 5 bars hold",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	if strings.Contains(got, "\x1b") {
		t.Error("there are colours")
	}
}

// TestTableOfAll checks which rows are left out unless all are asked for.
func TestTableOfAll(t *testing.T) {
	r := sample()
	r.Rows = append(r.Rows, bench.Row{Scenario: "hop", Case: "one value", Side: "Headrace", Metric: bench.Metric{Name: "p50", Unit: "ns"}})
	table := func(all bool) string {
		var b bytes.Buffer
		if err := r.WriteTable(&b, all, false); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const row, hint = " p50, Headrace ", "Not shown: 1 rows of other figures without a bar or a goal. -all prints them.\n"
	if got := table(false); strings.Contains(got, row) || !strings.Contains(got, hint) {
		t.Errorf("without -all: got %s", got)
	}
	if got := table(true); !strings.Contains(got, row) || strings.Contains(got, "Not shown") {
		t.Errorf("with -all: got %s", got)
	}
	r.Rows = r.Rows[len(r.Rows)-1:]
	if got := table(false); !strings.Contains(got, row) || strings.Contains(got, "Not shown") {
		t.Errorf("of rows without any bar: got %s", got)
	}
}

// A guard stands below its goal, without its figures again.
func TestTableOfAGoalAndItsGuard(t *testing.T) {
	r := sample()
	m := bench.Metric{Name: "p99", Unit: "ns"}
	row := bench.Row{Scenario: "hop", Case: "one value", Side: "Headrace", Metric: m, Figure: bench.NewStat([]float64{500})}
	goal, guard := row, row
	goal.Bar, goal.Verdict = &bench.Bar{Metric: "p99", AtMost: 100, Goal: true}, bench.Unreached
	guard.Bar, guard.Verdict = &bench.Bar{Metric: "p99", AtMost: 600}, bench.Holds
	r.Rows = []bench.Row{goal, guard}
	var b bytes.Buffer
	if err := r.WriteTable(&b, false, false); err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`[ │]+`).ReplaceAllString(b.String(), " ")
	if want := " p99, Headrace 500 ns goal <= 100 ns not reached \n <= 600 ns holds "; !strings.Contains(got, want) {
		t.Errorf("%q is missing in\n%s", want, b.String())
	}
}

func TestTableInColour(t *testing.T) {
	var b bytes.Buffer
	if err := sample().WriteTable(&b, false, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x1b[32mholds\x1b[0m", "\x1b[33mholds (noisy)\x1b[0m", "\x1b[31mdoes not hold\x1b[0m",
		"\x1b[32mreached\x1b[0m", "\x1b[34mnot reached\x1b[0m"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
}

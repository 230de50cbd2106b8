package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

var good = summary{
	In: 100, Out: 10, Merged: 90, Balanced: true, Symbols: 5, FinalOK: 5,
	DivisorBase: 10, DivisorMax: 30, DivisorEnd: 10, SlowOut: 160.5, SlowFree: 163,
	WaitP99: 3000, WaitBound: 3100, ServiceP99: 6.1, AgeP99: 12,
}

func TestSummaryJSON(t *testing.T) {
	var out bytes.Buffer
	good.print(&out, true)
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	var fields map[string]any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &fields); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"age_p99_ms", "balanced", "divisor_base", "divisor_end", "divisor_max", "final_ok", "in", "merged",
		"out", "service_p99_ms", "slow_free", "slow_out", "symbols", "wait_bound_ms", "wait_p99_ms", "waiting",
	}
	if got := slices.Sorted(maps.Keys(fields)); !slices.Equal(got, want) {
		t.Errorf("fields %v, want %v", got, want)
	}
	if fields["divisor_max"] != 30.0 || fields["slow_out"] != 160.5 || fields["balanced"] != true {
		t.Errorf("got %v, want the figures of %+v", fields, good)
	}
}

func TestSummaryTable(t *testing.T) {
	var out bytes.Buffer
	good.print(&out, false)
	want := `
quotes        100 in, 90 merged, 10 out, 0 waiting
ledger        balanced
last quotes   right for 5 of 5 symbols
divisor       10 at base, 30 at most, 10 at the end
slow third    160 reads/s; the consumer could do 163
wait p99      3000 ms in the worst second; at most 3100 ms expected
service p99   6.1 ms
age p99       12.0 ms
`
	if got := out.String(); got != want {
		t.Errorf("got %swant %s", got, want)
	}
}

func TestSummaryCheck(t *testing.T) {
	if err := good.check(); err != nil {
		t.Errorf("got %v, want no error", err)
	}
	for want, spoil := range map[string]func(*summary){
		"1 of 5 symbols":   func(s *summary) { s.FinalOK-- },
		"does not balance": func(s *summary) { s.Balanced = false },
		"3 entries still":  func(s *summary) { s.Waiting = 3 },
	} {
		s := good
		spoil(&s)
		if err := s.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/headrace/headrace/governor"
)

func TestPrintJSON(t *testing.T) {
	var out bytes.Buffer
	good.print(&out, options{json: true})
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	var fields map[string]any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &fields); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"age_p99_ms", "balanced", "divisor_base", "divisor_end", "divisor_max", "final_ok",
		"high_value_wait_p99_ms", "in", "in_flight", "last_out", "last_service_p99_ms", "limit", "merged",
		"others_wait_p99_ms", "out", "overdue", "proposed", "service_p99_ms", "slow_free", "slow_out", "symbols",
		"trades", "trades_ok", "wait_bound_ms", "wait_p99_ms", "waiting",
	}
	if got := slices.Sorted(maps.Keys(fields)); !slices.Equal(got, want) {
		t.Errorf("fields %v, want %v", got, want)
	}
	if fields["divisor_max"] != 30.0 || fields["slow_out"] != 160.5 || fields["balanced"] != true {
		t.Errorf("got %v, want the figures of %+v", fields, good)
	}
}

func TestPrintTable(t *testing.T) {
	for name, test := range map[string]struct {
		options options
		want    string
	}{
		"default": {options{interval: 1, slowdown: 6}, `
updates       100 in, 90 merged, 10 out, 0 waiting
ledger        balanced
last quotes   right for 5 of 5 symbols
divisor       10 at base, 30 at most, 10 at the end
slow third    160 reads/s; the consumer could do 163
last third    500 reads/s, service p99 1.1 ms
wait p99      3000 ms in the worst second; at most 3100 ms expected
service p99   6.1 ms
age p99       12.0 ms
`},
		"all": {options{slowdown: 1, limit: governor.Fixed(36), maxAge: time.Second, trades: true, priority: true}, `
updates       100 in, 90 merged, 10 out, 0 waiting
ledger        balanced
last quotes   right for 5 of 5 symbols
trades        right for 40 of 40
limit         36 at the end, 35 in flight
overdue       7 entries read for their age of over 1s
last third    500 reads/s, service p99 1.1 ms
wait p99      3000 ms in the worst second
of high value 2200 ms; 3200 ms for the other symbols
service p99   6.1 ms
age p99       12.0 ms
`},
	} {
		var out bytes.Buffer
		good.print(&out, test.options)
		if got := out.String(); got != test.want {
			t.Errorf("%s: got %swant %s", name, got, test.want)
		}
	}
}

func TestPrintShortRun(t *testing.T) {
	s := good
	s.SlowFree, s.Balanced = 0, false
	var out bytes.Buffer
	s.print(&out, options{slowdown: 6})
	for _, want := range []string{"slow third    not reached", "ledger        DOES NOT BALANCE"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got %swant %q", &out, want)
		}
	}
}

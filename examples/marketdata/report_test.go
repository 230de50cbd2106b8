package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/pipeline"
)

func TestReport(t *testing.T) {
	last := second{
		elapsed: 7 * time.Second,
		stats: pipeline.Stats{
			Elapsed: time.Second,
			Ledger:  cache.Ledger{Puts: 200_000, Inserted: 500, Merged: 199_500, Done: 480, Waiting: 499},
			Divisor: 10, Rate: 500, Overdue: 17,
			Limit: governor.LimiterStats{Limit: 36, InFlight: 35},
		},
		waits:  waitP99{highValue: 250 * time.Millisecond, others: 1200 * time.Millisecond},
		trades: 21,
		slow:   true,
	}
	for name, test := range map[string]struct {
		options options
		want    string
	}{
		"default": {options{interval: 1}, `
 time     in/s  out/s  conflated  divisor  rate/s  service p99   age p99  waiting
   7s   200000    480     99.75%       10     500       0.0 ms    0.0 ms      499  slow consumer
`},
		"limit without pace": {options{limit: governor.Fixed(36)}, `
 time     in/s  out/s  conflated  service p99   age p99  waiting  limit  in flight
   7s   200000    480     99.75%       0.0 ms    0.0 ms      499     36         35  slow consumer
`},
		"all": {options{interval: 1, maxAge: 1, trades: true, priority: true}, `
 time     in/s  out/s  conflated  divisor  rate/s  service p99   age p99  waiting  overdue  trades  high-value wait  others' wait
   7s   200000    480     99.75%       10     500       0.0 ms    0.0 ms      499       17      21         250.0 ms     1200.0 ms  slow consumer
`},
	} {
		var out bytes.Buffer
		r := newReport(&out, test.options)
		r.heading()
		r.second(last)
		if got := "\n" + out.String(); got != test.want {
			t.Errorf("%s: got%swant%s", name, got, test.want)
		}
	}
}

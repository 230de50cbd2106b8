package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

func TestReport(t *testing.T) {
	last := pipeline.Stats{
		Elapsed: time.Second,
		Ledger:  cache.Ledger{Puts: 200_000, Inserted: 500, Merged: 199_500, Done: 480, Waiting: 499},
		Divisor: 10, Rate: 500,
	}
	var out bytes.Buffer
	printHeading(&out)
	printSecond(&out, 7*time.Second, last, true)
	want := ` time     in/s  out/s  conflated  divisor  rate/s  service p99   age p99  waiting
   7s   200000    480     99.75%       10     500       0.0 ms    0.0 ms      499  slow consumer
`
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/headrace/headrace/governor/quota"
)

func TestTable(t *testing.T) {
	var out bytes.Buffer
	printHeading(&out)
	budget := quota.Budget{Percent: 4, Workers: 16, Window: time.Second}
	line{"1s", "acme", 320.4, 4.04, 15, quota.Usage{Limit: 4, Budget: budget, Waiting: 13}}.print(&out)
	line{name: "birch", readings: 200, share: 2.5}.print(&out)
	want := ` time  tenant  readings/s  producer time  quota                            throttled  waiting
   1s  acme           320          4.0 %  4 % of 16 workers = 640ms per 1s        15       13
       birch          200          2.5 %  none                                     0        0
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

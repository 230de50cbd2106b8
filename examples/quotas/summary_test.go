package main

import (
	"bytes"
	"testing"
)

func TestSummaryPrint(t *testing.T) {
	s := summary{Quotas: true, Producers: 16, Phases: []phaseSummary{{
		From: 7, Length: 5,
		Tenants: []tenantSummary{{"acme", 2, 2.07, 149, 166, 1507, 73960}, {"birch", 0, 2.5, 200, 0, 0, 0}},
	}}}
	var out bytes.Buffer
	s.print(&out, true)
	want := `
5s from 7s on
tenant  quota  producer time  readings/s  throttled   delayed     waited
acme      2 %         2.07 %         149        166    1507 ms   73960 ms
birch    none         2.50 %         200          0       0 ms       0 ms
{"quotas":true,"producers":16,"phases":[{"from_s":7,"length_s":5,"tenants":[` +
		`{"user":"acme","limit_percent":2,"share_percent":2.07,"readings_per_s":149,"throttled":166,"delayed_ms":1507,"waited_ms":73960},` +
		`{"user":"birch","limit_percent":0,"share_percent":2.5,"readings_per_s":200,"throttled":0,"delayed_ms":0,"waited_ms":0}]}]}
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

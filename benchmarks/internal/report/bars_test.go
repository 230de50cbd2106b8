package report

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"
)

func TestBars(t *testing.T) {
	var b bytes.Buffer
	if err := sample().WriteBars(&b); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(lines); n != 1+len(sample().Rows) {
		t.Errorf("got %d lines, want a header and %d", n, len(sample().Rows))
	}
	for i, want := range map[int][]string{
		2: {"merge", "1,000 <string> keys", "put", "ns/op", "Headrace", "", "28", "", "", "", "", "bar", "<=", "29", "holds (noisy)", "", ""},
		5: {"merge", "1,000 <string> keys", "put", "ns/op", "Headrace", "", "28", "", "", "", "", "goal", "<=", "30", "reached", "", "the plan"},
		6: {"hop", "one value", "throughput", "updates/s", "Headrace", "Benthos", "9.6e+06", "24000", "400", "400", "400", "bar", ">=", "500", "does not hold", "", ""},
		8: {"hop", "one value", "", "", "channel", "", "", "", "", "", "", "figure", "", "", "failed", "run 1: lost 3 values", ""},
	} {
		if !slices.Equal(lines[i], want) {
			t.Errorf("line %d: got %q, want %q", i, lines[i], want)
		}
	}
}

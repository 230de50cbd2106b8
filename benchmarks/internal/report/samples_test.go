package report

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"
)

func TestSamples(t *testing.T) {
	var b bytes.Buffer
	if err := sample().WriteSamples(&b); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(lines); n != 1+6+3+2 {
		t.Errorf("got %d lines, want 12", n)
	}
	for i, want := range map[int][]string{
		0:  {"scenario", "case", "side", "run", "place", "metric", "unit", "value"},
		1:  {"merge", "1,000 <string> keys", "Headrace", "1", "1", "put", "ns/op", "26"},
		2:  {"merge", "1,000 <string> keys", "Headrace", "1", "1", "allocs", "allocs/op", "0"},
		11: {"hop", "one value", "Benthos", "1", "1", "throughput", "updates/s", "24000"},
	} {
		if !slices.Equal(lines[i], want) {
			t.Errorf("line %d: got %q, want %q", i, lines[i], want)
		}
	}
}

package main

import (
	"strings"
	"testing"
)

// A recording that cannot be played is told before anything is measured.
func TestCheckReplay(t *testing.T) {
	for want, c := range map[string]struct {
		file      string
		scenarios []string
	}{
		"":                                   {"", []string{"merge"}},
		"expected the scenario replay among": {"go.mod", []string{"merge", "cycle"}},
		"go.mod: line 1":                     {"go.mod", []string{"merge", "replay"}},
	} {
		err := options{replay: c.file}.checkReplay(c.scenarios)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s of %v: got %v, want %q", c.file, c.scenarios, err, want)
		}
	}
}

package main

import (
	"io"
	"strings"
	"testing"
	"time"
)

func TestRuns(t *testing.T) {
	for args, want := range map[string]int{"": 7, "-quick": 5, "-runs 1": 1, "-quick -runs 11": 11, "-runs 0": 7} {
		o, err := parseFlags(strings.Fields(args), io.Discard)
		if err != nil || o.runs != want {
			t.Errorf("%q: got %d, %v, want %d", args, o.runs, err, want)
		}
	}
}

func TestAbout(t *testing.T) {
	if got := (options{}).about(); got != 500*time.Millisecond {
		t.Errorf("got %v", got)
	}
	if got := (options{quick: true}).about(); got != 50*time.Millisecond {
		t.Errorf("quick: got %v", got)
	}
}

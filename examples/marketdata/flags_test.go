package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestDefaults(t *testing.T) {
	got, err := parseFlags(nil, new(bytes.Buffer))
	want := options{
		symbols: 500, rate: 200_000, consume: time.Millisecond, workers: 1,
		interval: 200 * time.Microsecond, base: 10, high: 5 * time.Millisecond,
		duration: 15 * time.Second, seed: 1, via: "memory",
	}
	if err != nil || got != want {
		t.Errorf("got %+v and %v, want %+v", got, err, want)
	}
}

func TestFlagsAtFault(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-symbols 0", "-symbols must be at least 1"},
		{"-rate 0", "-rate must be at least 1"},
		{"-rate many", "for flag -rate"},
		{"-consume 0s", "-consume must be longer than 0"},
		{"-consume 5", "for flag -consume"},
		{"-workers -1", "-workers must be at least 1"},
		{"-interval 0s", "-interval must be longer than 0"},
		{"-base 0", "-base must be at least 1"},
		{"-high -1ms", "-high must be longer than 0"},
		{"-duration 0s", "-duration must be longer than 0"},
		{"-seed x", "for flag -seed"},
		{"-via post", "-via must be memory or watermill"},
		{"now", `argument "now"`},
		{"-unknown", "-unknown"},
	} {
		p := start(t.Context(), strings.Fields(test.args)...)
		if p.status != 2 || !strings.Contains(p.stderr.String(), test.want) {
			t.Errorf("%s: status %d and %q, want 2 and %q", test.args, p.status, &p.stderr, test.want)
		}
		if p.stdout.Len() > 0 {
			t.Errorf("%s: %q on the standard output", test.args, &p.stdout)
		}
	}
}

func TestHelp(t *testing.T) {
	p := start(t.Context(), "-h")
	if p.status != 0 || !strings.Contains(p.stderr.String(), "-symbols") {
		t.Errorf("status %d and %q, want 0 and the flags", p.status, &p.stderr)
	}
}

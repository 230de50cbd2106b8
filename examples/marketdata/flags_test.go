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
		duration: 15 * time.Second, seed: 1, via: "memory", slowdown: 6,
	}
	if err != nil || got != want {
		t.Errorf("got %+v and %v, want %+v", got, err, want)
	}
}

func TestFlagsAtFault(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-symbols 0", "-symbols must be from 1 to 1000000"},
		{"-symbols 99999999999", "-symbols must be from 1 to 1000000"},
		{"-rate 0", "-rate must be from 1 to 1000000000"},
		{"-rate many", "for flag -rate"},
		{"-consume 0s", "-consume must be longer than 0"},
		{"-consume 5", "for flag -consume"},
		{"-workers -1", "-workers must be at least 1"},
		{"-workers 99999999999", "Workers must be from 1 to 1048576, got 99999999999"},
		{"-slowdown 0", "-slowdown must be at least 1"},
		{"-capacity -1", "-capacity must not be negative"},
		{"-limit gradient", "for flag -limit: expected gradient2 or a number from 1"},
		{"-limit 0", "for flag -limit: expected gradient2 or a number from 1"},
		{"-max-age -1s", "-max-age must not be negative"},
		{"-interval -1ms", "-interval must not be negative"},
		{"-interval 0", "set -high 0 too"},
		{"-base 0", "-base must be at least 1"},
		{"-high -1ms", "-high must not be negative"},
		{"-duration -1s", "-duration must not be negative"},
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
	for _, want := range []string{"-symbols", "up to 1m0s", "a head start of 1s", "about 20 trades"} {
		if p.status != 0 || !strings.Contains(p.stderr.String(), want) {
			t.Errorf("status %d and %q, want 0 and %q", p.status, &p.stderr, want)
		}
	}
}

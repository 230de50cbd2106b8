package main

import (
	"strings"
	"testing"
)

func TestParseFlagsRejects(t *testing.T) {
	for args, want := range map[string]string{
		"-workers 0":              "-workers must be at least 1, got 0",
		"-workers 1 -kill":        "-kill needs at least 2 -workers, so that one is left, got 1",
		"-partitions 2":           "-partitions must be at least -workers (3), so that each has one, got 2",
		"-keys 0":                 "-keys must be at least 1, got 0",
		"-rate 0":                 "-rate must be at least 1, got 0",
		"-duration 1s":            "-duration must be at least 3s, got 1s",
		"-ack-wait 10ms":          "-ack-wait must be at least 1s, since a busy machine is late, got 10ms",
		"-write -1s":              "-write must not be negative, got -1s",
		"-write 1s and something": `argument "and": expected flags only, see -h`,
	} {
		var stderr strings.Builder
		if _, err := parseFlags(strings.Fields(args), &stderr); err == nil || stderr.String() != "scaleout: "+want+"\n" {
			t.Errorf("%s: error %v, printed %q, want %q", args, err, &stderr, want)
		}
	}
}

func TestWindow(t *testing.T) {
	for keys, want := range map[int]int{12: 1000, 2400: 1000, 12_000: 4000} {
		if got := (options{keys: keys, partitions: 12}).window(); got != want {
			t.Errorf("%d keys: %d, want %d", keys, got, want)
		}
	}
}

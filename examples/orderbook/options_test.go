package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestParseOptions(t *testing.T) {
	var stderr bytes.Buffer
	got, err := parseOptions(strings.Fields("-file f.csv -speed 2.5 -consume 200us -workers 4 -json"), &stderr)
	want := options{file: "f.csv", speed: 2.5, consume: 200 * time.Microsecond, workers: 4, json: true}
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if got, _ := parseOptions([]string{"-file", "f.csv"}, &stderr); got != (options{file: "f.csv", workers: 1}) {
		t.Errorf("defaults are %+v", got)
	}
}

// Each mistake is named, with its flag.
func TestParseOptionsRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"":                        "-file",
		"-speed -1 -file f":       "-speed",
		"-speed NaN -file f":      "-speed",
		"-speed Inf -file f":      "-speed",
		"-speed fast -file f":     "-speed",
		"-consume -1ms -file f":   "-consume",
		"-workers 0 -file f":      "-workers",
		"-file f another":         `"another"`,
		"-unknown -file f":        "-unknown",
		"-file f -workers 1.5":    "-workers",
		"-file f -consume 200 -x": "-consume",
	} {
		var stderr bytes.Buffer
		if _, err := parseOptions(strings.Fields(args), &stderr); err == nil {
			t.Errorf("%q is accepted", args)
		}
		if first, _, _ := strings.Cut(stderr.String(), "\n"); !strings.Contains(first, want) {
			t.Errorf("%q: the message is %q, want it to name %s", args, first, want)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// command runs the command, in time that passes only when all goroutines wait.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	synctest.Test(t, func(t *testing.T) { code = run(t.Context(), args, &out, &errs) })
	return code, out.String(), errs.String()
}

// replayed runs the command with -json, and returns the last line it wrote.
func replayed(t *testing.T, args ...string) result {
	t.Helper()
	code, stdout, stderr := command(t, append(args, "-json")...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	var r result
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRunExitCodes(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want int
	}{
		{"a replay", []string{"-file", write(t, header)}, 0},
		{"help", []string{"-h"}, 0},
		{"no file", []string{"-file", "missing.csv"}, 1},
		{"bad input", []string{"-file", write(t, "a,b\n")}, 1},
		{"no flags", nil, 2},
	} {
		if code, _, stderr := command(t, tt.args...); code != tt.want {
			t.Errorf("%s: exit %d, want %d: %s", tt.name, code, tt.want, stderr)
		}
	}
}

// An interrupt ends a paced replay in good order, also in the middle of a wait.
func TestRunInterrupted(t *testing.T) {
	file := write(t, header+
		"0,0,A,B,99.00,1,1,1\n"+
		"1000000000,0,A,B,99.25,1,2,2\n"+
		"3600000000000,0,A,B,99.50,1,3,3\n")
	var stdout, stderr bytes.Buffer
	var code int
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		code = run(ctx, []string{"-file", file, "-speed", "1"}, &stdout, &stderr)
		if got := time.Since(start); got != time.Minute {
			t.Errorf("returned after %v, want 1m", got)
		}
	})
	if code != 0 || !strings.Contains(stderr.String(), "interrupted after") {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
	if !strings.Contains(stdout.String(), "best bid   99.25") {
		t.Errorf("the book of the first minute is missing:\n%s", stdout.String())
	}
}

// Bad input ends the replay when what was read before it has been consumed.
func TestRunDrainsBeforeItFails(t *testing.T) {
	file := write(t, header+"0,0,A,B,99.00,1,1,1\n0,0,A,B,99.25,1,2,2\n0,0,A,B,99.50,1,3,3\nbroken\n")
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		code := run(t.Context(), []string{"-file", file, "-consume", "1s"}, io.Discard, io.Discard)
		if got := time.Since(start); code != 1 || got != 3*time.Second {
			t.Errorf("exit %d after %v, want 1 after 3s", code, got)
		}
	})
}

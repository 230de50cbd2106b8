package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The test binary is also the program: the one that a test runs, and the workers
// that this starts.
func TestMain(m *testing.M) {
	if os.Getenv("SCALEOUT_PROGRAM") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program runs the program and returns what it printed, and its exit status.
func program(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), "SCALEOUT_PROGRAM=1")
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	if failed := cmd.Run(); failed != nil && cmd.ProcessState == nil {
		t.Fatal(failed)
	}
	return out.String(), err.String(), cmd.ProcessState.ExitCode()
}

// mustPass returns the summary, from the last line of the standard output.
func mustPass(t *testing.T, args ...string) (summary, string) {
	t.Helper()
	stdout, stderr, status := program(t, args...)
	if status != 0 {
		t.Fatalf("status %d, want 0: %s\n%s", status, stderr, stdout)
	}
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	var s summary
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &s); err != nil {
		t.Fatalf("last line %q: %v", lines[len(lines)-1], err)
	}
	if s.Keys != 300 || s.FinalOK != 300 || s.Lost != 0 || s.Stale != 0 || s.Workers != 3 {
		t.Errorf("%+v, want all 300 keys right", s)
	}
	if s.Produced <= s.Keys || s.Written >= s.Produced {
		t.Errorf("%d of %d quotes were written, want some of them conflated", s.Written, s.Produced)
	}
	return s, stdout
}

const short = "-workers 3 -partitions 6 -keys 300 -rate 2000 -duration 3s -ack-wait 2s -write 100ms -json"

func TestRun(t *testing.T) {
	t.Parallel()
	s, stdout := mustPass(t, strings.Fields(short)...)
	if s.Moves != 6 {
		t.Errorf("partitions were given out %d times, want 6\n%s", s.Moves, stdout)
	}
	for _, name := range []string{"w1", "w2", "w3"} {
		if s.Traffic[name].Received == 0 || s.Traffic[name].Written == 0 {
			t.Errorf("%s: %+v, want a share of the work\n%s", name, s.Traffic[name], stdout)
		}
	}
	if want := "owners  w1: 0 3  w2: 1 4  w3: 2 5\n"; !strings.Contains(stdout, want) {
		t.Errorf("want %q in\n%s", want, stdout)
	}
}

func TestRunKill(t *testing.T) {
	t.Parallel()
	s, stdout := mustPass(t, append(strings.Fields(short), "-kill")...)
	if s.Redelivered == 0 {
		t.Errorf("nothing was delivered again, though a worker was killed\n%s", stdout)
	}
	// 6 at the start, 2 of the dead worker, 2 back to it.
	if s.Moves != 10 {
		t.Errorf("partitions were given out %d times, want 10\n%s", s.Moves, stdout)
	}
	for _, want := range []string{
		"w2 gets SIGKILL\n", "w2 is gone: signal: killed\n", "w2 starts again\n",
		"owners  w1: 0 1 3  w3: 2 4 5\n",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("want %q in\n%s", want, stdout)
		}
	}
}

func TestRunUsage(t *testing.T) {
	t.Parallel()
	stdout, stderr, status := program(t, "-workers", "0")
	if status != 2 || stdout != "" || stderr != "scaleout: -workers must be at least 1, got 0\n" {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
	if _, stderr, status := program(t, "-h"); status != 0 || !strings.Contains(stderr, "-kill") {
		t.Errorf("-h: status %d, %q", status, stderr)
	}
}

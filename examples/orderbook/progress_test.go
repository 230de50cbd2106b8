package main

import (
	"strings"
	"testing"
)

// A line a second, beside the result and not in it.
func TestProgress(t *testing.T) {
	file := write(t, header+"0,0,A,B,99.75,1,1,1\n2500000000,0,A,B,99.50,1,2,1\n")
	_, stdout, stderr := command(t, "-file", file, "-speed", "1")
	want := "   1 s: 1 updates (1/s), 1 emitted (1/s), 0 waiting, 0 % merged\n" +
		"   2 s: 1 updates (0/s), 1 emitted (0/s), 0 waiting, 0 % merged\n"
	if stderr != want {
		t.Errorf("got\n%swant\n%s", stderr, want)
	}
	if strings.Contains(stdout, "1 s:") {
		t.Errorf("progress is in the result:\n%s", stdout)
	}
}

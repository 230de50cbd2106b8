package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// full is a disk with room for some bytes.
type full int

var errFull = errors.New("no space left on device")

func (f *full) Write(p []byte) (int, error) {
	if len(p) > int(*f) {
		return 0, errFull
	}
	*f -= full(len(p))
	return len(p), nil
}

func TestOutputFails(t *testing.T) {
	for name, test := range map[string]struct {
		room full
		took time.Duration
	}{
		"at once":        {0, time.Second},
		"in a second":    {100, 3 * time.Second},
		"in the summary": {350, 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var stderr bytes.Buffer
				begin := time.Now()
				status := run(t.Context(), strings.Fields("-duration 3s -rate 1000 -symbols 20"), &test.room, &stderr)
				if status != 1 || !strings.Contains(stderr.String(), errFull.Error()) {
					t.Errorf("status %d and %q, want 1 and %q", status, &stderr, errFull)
				}
				if took := time.Since(begin); took > test.took {
					t.Errorf("took %v, want an end soon after the error", took)
				}
			})
		})
	}
}

func TestOutputWritesNothingAfterAnError(t *testing.T) {
	room := full(3)
	_, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := &output{w: &room, failed: cancel}
	for _, s := range []string{"ab", "cd", "e"} {
		_, _ = o.Write([]byte(s))
	}
	if room != 1 || o.err != errFull {
		t.Errorf("room for %d and %v, want 1 and %v: the last byte would fit", room, o.err, errFull)
	}
}

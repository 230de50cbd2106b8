package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// program is a run of the program and what came of it.
type program struct {
	status         int
	stdout, stderr bytes.Buffer
}

func start(ctx context.Context, args ...string) *program {
	p := new(program)
	p.status = run(ctx, args, &p.stdout, &p.stderr)
	return p
}

// mustPass returns the summary, from the last line of the standard output.
func (p *program) mustPass(t *testing.T) summary {
	t.Helper()
	if p.status != 0 || p.stderr.Len() != 0 {
		t.Fatalf("status %d, want 0: %s\n%s", p.status, &p.stderr, &p.stdout)
	}
	lines := strings.Split(strings.TrimSpace(p.stdout.String()), "\n")
	var s summary
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &s); err != nil {
		t.Fatalf("last line %q: %v", lines[len(lines)-1], err)
	}
	return s
}

func TestRealClock(t *testing.T) {
	s := start(t.Context(), "-duration", "4s", "-json").mustPass(t)
	acme := s.Phases[0].Tenants[0]
	if acme.Share > 10 || acme.Throttled == 0 {
		t.Errorf("acme %+v, want it held back", acme)
	}
}

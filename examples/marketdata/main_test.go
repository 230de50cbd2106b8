package main

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

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

// summary decodes the last line of the standard output.
func (p *program) summary(t *testing.T) summary {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(p.stdout.String()), "\n")
	var s summary
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &s); err != nil {
		t.Fatalf("last line %q: %v", lines[len(lines)-1], err)
	}
	return s
}

// mustPass checks what has to hold however a run ends.
func (p *program) mustPass(t *testing.T) summary {
	t.Helper()
	if p.status != 0 {
		t.Fatalf("status %d, want 0: %s\n%s", p.status, &p.stderr, &p.stdout)
	}
	s := p.summary(t)
	if s.TradesOK != s.Trades {
		t.Errorf("%d of %d trades are right, want all", s.TradesOK, s.Trades)
	}
	if s.Symbols == 0 || s.FinalOK != s.Symbols || !s.Balanced || s.Waiting != 0 {
		t.Errorf("got %+v, want the last quote of each symbol, a balance and nothing waiting", s)
	}
	if s.In != s.Merged+s.Out {
		t.Errorf("in %d, want merged %d + out %d", s.In, s.Merged, s.Out)
	}
	return s
}

// A step of fake time costs real time, so the runs are small.
const small = "-duration 9s -rate 5000 -symbols 200 -json "

// watch runs the program in a bubble, checks what must hold, and looks at the
// summary.
func watch(t *testing.T, flags string, check func(t *testing.T, p *program, s summary)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Helper()
		p := start(t.Context(), strings.Fields(small+flags)...)
		check(t, p, p.mustPass(t))
	})
}

func TestRealClock(t *testing.T) {
	start(t.Context(), "-duration", "1s", "-rate", "2000", "-symbols", "20", "-workers", "2", "-json").mustPass(t)
}

func TestVerbose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t.Context(), "-duration", "1s", "-rate", "5000", "-symbols", "50", "-v")
		if p.status != 0 || !strings.Contains(p.stderr.String(), "governor decision") {
			t.Errorf("status %d, want 0 and the governor's decisions in the log:\n%s", p.status, &p.stderr)
		}
		if strings.Contains(p.stdout.String(), "{") {
			t.Errorf("JSON without -json:\n%s", &p.stdout)
		}
	})
}

func TestUpdates(t *testing.T) {
	both, one, none := Level{Price: 100, Size: 1}, Level{Price: 101, Size: 1}, Level{}
	first := Tick{"A", 1, 0, both, one}
	trade := Tick{"A", 1, 1, none, one}
	second := Tick{"A", 3, 0, one, both}
	other := Tick{"B", 1, 0, both, one}
	ticks := []Tick{first, first, {"A", 2, 0, both, none}, trade, first, other, second}
	got := slices.Collect(updates(slices.Values(ticks)))
	want := []Update{Update(first), Update(trade), Update(other), Update(second)}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v: no one-sided quotes and no repetitions", got, want)
	}
}

package governor

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mutants alter one constant, comparison or step of the limit each.
var mutants = []struct{ file, old, new string }{
	{"baseline.go", "decayFactor = 0.95", "decayFactor = 0.9"},
	{"baseline.go", "decayFactor = 0.95", "decayFactor = 0.9500001"},
	{"baseline.go", "decayAbove  = 2.0", "decayAbove  = 1.9"},
	{"baseline.go", "decayAbove  = 2.0", "decayAbove  = 2.1"},
	{"baseline.go", "warmUp      = 10", "warmUp      = 9"},
	{"baseline.go", "warmUp      = 10", "warmUp      = 11"},
	{"baseline.go", "b.count < warmUp", "b.count <= warmUp"},
	{"baseline.go", "float64(samples+1)", "float64(samples)"},
	{"baseline.go", "weight: 2 /", "weight: 1 /"},
	{"baseline.go", "b.value *= decayFactor", "b.value *= decayFactor; b.sum *= decayFactor"},
	{"gradient.go", "leastGradient = 0.5", "leastGradient = 0.4"},
	{"gradient.go", "mostGradient  = 1.0", "mostGradient  = 1.1"},
	{"gradient.go", "usedPart      = 2 ", "usedPart      = 3 "},
	{"gradient.go", "float64(s.InFlight) < g.estimate/usedPart", "float64(s.InFlight) <= g.estimate/usedPart"},
	{"gradient.go", "float64(s.InFlight) < g.estimate/usedPart", "s.InFlight < g.Limit()/usedPart"},
	{"gradient.go", "leastRTT:  1,", "leastRTT:  0,"},
	{"gradient.go", "return int(g.estimate)", "return int(g.estimate + 0.5)"},
	{"gradient.go", "g.queue(g.Limit())", "g.queue(g.Limit()+1)"},
	{"gradient.go", "max(0, g.queue(g.Limit()))", "g.queue(g.Limit())"},
	{"gradient.go", "long := g.learn(short)", "long := g.baseline.value; g.learn(short)"},
	{"gradient.go", "long/short > decayAbove", "long/short >= decayAbove"},
	{"gradient.go", "short > g.healthy", "short >= g.healthy"},
	{"gradient.go", "max(g.min, min(g.max, next))", "min(g.max, max(g.min, next))"},
	{"gradient.go", "max(g.min, min(g.max, next))", "min(g.max, next)"},
	{"gradient.go", "max(g.min, min(g.max, next))", "max(g.min, next)"},
	{"gradient.go", "float64(g.estimate*g.gradient) + queue", "float64(max(g.min, min(g.max, g.estimate*g.gradient))) + queue"},
	{"gradient.go", "float64(g.tolerance*long)/short", "long/short"},
	{"gradient.go", "float64(g.tolerance*long)/short", "g.tolerance*(long/short)"},
	{"gradient.go", "float64(target*g.smoothing)", "target"},
	{"gradient.go", "if dropped && g.backoff", "if dropped"},
	{"gradient.go", "if dropped && g.backoff", "if false"},
	{"gradient.go", "g.appLimited++\n\t\treturn g.Limit()", "g.appLimited++"},
	{"gradient2.go", "setDefault(&c.Min, 1)", "setDefault(&c.Min, 20)"},
	{"gradient2.go", "setDefault(&c.Max, 200)", "setDefault(&c.Max, 100)"},
	{"gradient2.go", "setDefault(&c.Queue, 4)", "setDefault(&c.Queue, 5)"},
	{"gradient2.go", "setDefault(&c.Smoothing, 0.2)", "setDefault(&c.Smoothing, 0.3)"},
	{"gradient2.go", "setDefault(&c.LongWindow, 600)", "setDefault(&c.LongWindow, 100)"},
	{"gradient2.go", "setDefault(&c.Tolerance, 1)", "setDefault(&c.Tolerance, 1.5)"},
	{"gradient2.go", "case !(o.Smoothing > 0 && o.Smoothing <= 1):", "case o.Smoothing <= 0 || o.Smoothing > 1:"},
	{"gradient2.go", "case !(o.Tolerance >= 1) ||", "case o.Tolerance < 1 ||"},
	{"gradient2.go", "case o.Max < o.Min:", "case o.Max <= o.Min:"},
	{"gradient2.go", "o.Initial < o.Min ||", "o.Initial <= o.Min ||"},
	{"gradient2.go", "o.Initial > o.Max:", "o.Initial >= o.Max:"},
	{"windows.go", "s.At > w.ends", "s.At >= w.ends"},
	{"windows.go", "s.RTT < w.options.MinRTT", "s.RTT <= w.options.MinRTT"},
	{"windows.go", "s.RTT = max(s.RTT, 1)", ""},
	{"windows.go", "w.open.count >= w.options.Samples", "w.open.count > w.options.Samples"},
	{"windows.go", "w.open.count == w.open.drops && !w.compat", "false"},
	{"windows.go", "w.open.count == w.open.drops && !w.compat", "w.open.drops > 0 && !w.compat"},
	{"windows.go", "at-w.open.first > w.options.MaxAge", "at-w.open.first >= w.options.MaxAge"},
	{"windows.go", "} else if !w.compat {\n\t\treturn\n\t}", "}"},
	{"windows.go", "w.ends = at + w.length\n\tw.open", "w.ends = at + w.options.Window\n\tw.open"},
	{"windows.go", "w.ends = at + w.length\n\t}\n", "w.ends = 0\n\t}\n"},
	{"windows.go", "2*w.open.least", "w.open.least"},
	{"windows.go", "w.least = min(w.least, s.RTT)", "w.least = max(w.least, s.RTT)"},
	{"windows.go", "w.inFlight = max(w.inFlight, s.InFlight)", "w.inFlight = s.InFlight"},
	{"windows.go", "w.sum / time.Duration(w.count)", "w.sum / time.Duration(w.count+1)"},
	{"windows.go", "Dropped: w.drops > 0", "Dropped: w.drops > 1"},
	{"windowed.go", "setDefault(&c.Samples, 10)", "setDefault(&c.Samples, 9)"},
	{"windowed.go", "max(time.Minute, c.MaxWindow)", "time.Minute"},
	{"reading.go", "tolerance*long < (1-stateMargin)*short", "tolerance*long <= (1-stateMargin)*short"},
	{"reading.go", "stateMargin = 0.1", "stateMargin = 0.2"},
	{"fixed.go", "if f < 1", "if f < 0"},
	{"fixed.go", "return min(n, ceiling)", "return ceiling"},
	{"limiter.go", "if l.held >= l.limit", "if l.held > l.limit"},
	{"limiter.go", "max(1, limit)", "limit"},
	{"limiter.go", "if limit != l.limit", "if limit > l.limit"},
	{"limiter.go", "t, err := l.take(ctx, true)", "t, err := l.take(ctx, false)"},
	{"limiter.go", "return l.take(ctx, false)", "return l.take(ctx, true)"},
	{"limiter.go", "outcome := Dropped", "outcome := Ignored"},
	{"permits.go", "if l.held < l.limit {", "if l.held <= l.limit {"},
	{"permits.go", "for l.held < l.limit &&", "for l.held <= l.limit &&"},
	{"permits.go", "for l.held < l.limit &&", "if l.held < l.limit &&"},
	{"permits.go", "w := l.waiters.front", "w := l.waiters.back"},
	{"permits.go", "l.giveBack((<-w.granted).slot)\n\t\tl.serve()", "<-w.granted"},
	{"permits.go", "l.giveBack((<-w.granted).slot)\n\t\tl.serve()", "l.giveBack((<-w.granted).slot)"},
	{"permits.go", "s.generation++", ""},
	{"permits.go", "l.waiters.remove(w)\n\t} else", "\n\t} else"},
	{"permits.go", "if err := ctx.Err(); err != nil {", "if err := ctx.Err(); false {"},
	{"token.go", "\tif s.generation != t.generation {\n\t\treturn\n\t}\n", ""},
	{"token.go", "if t.slot.generation != t.generation", "if false"},
	{"token.go", "RTT: at - s.start", "RTT: at"},
	{"token.go", "Dropped: outcome == Dropped", "Dropped: false"},
	{"token.go", "if outcome != Ignored", "if true"},
	{"token.go", "!s.started || outcome > Dropped", "outcome > Dropped"},
	{"token.go", "\tl.giveBack(s)\n\tdefer l.serve()", "\tl.giveBack(s)\n\tl.serve()"},
	{"outcome.go", "errors.Is(err, context.DeadlineExceeded)", "errors.Is(err, context.Canceled)"},
	{"outcome.go", "&& t.Timeout()", ""},
}

// Every mutant must still alter something, or the list has rotted.
func TestLimitMutantsApply(t *testing.T) {
	for _, m := range mutants {
		if n := strings.Count(source(t, m.file), m.old); n != 1 {
			t.Errorf("%s holds %q %d times, want 1", m.file, m.old, n)
		}
	}
}

// The mutation check builds the package once for each mutant and wants its
// tests to fail, without the reference traces, as in a fresh clone. It takes
// minutes and is run by hand:
//
//	HEADRACE_MUTANTS=1 go test -run LimitMutants -v -timeout 30m ./governor
func TestLimitMutants(t *testing.T) {
	if os.Getenv("HEADRACE_MUTANTS") == "" {
		t.Skip("takes minutes: set HEADRACE_MUTANTS=1")
	}
	for _, m := range mutants {
		t.Run(m.file, func(t *testing.T) {
			noticed, output := noticedBy(t, m.file, strings.Replace(source(t, m.file), m.old, m.new, 1))
			if noticed == "" {
				t.Errorf("nothing noticed %q instead of %q\n%s", m.new, m.old, output)
				return
			}
			t.Logf("%q -> %q: %s", m.old, m.new, noticed)
		})
	}
}

func source(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var failed = regexp.MustCompile(`--- FAIL: (\w+)`)

// noticedBy runs the tests of the limit with a file replaced. The tree stays as
// it is.
func noticedBy(t *testing.T, file, mutated string) (test, output string) {
	t.Helper()
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	other, overlay := filepath.Join(folder, file), filepath.Join(folder, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {path: other}})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{other: mutated, overlay: string(text)} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command("go", "test", "-vet=off", "-failfast", "-timeout=60s", "-overlay", overlay,
		"-run", "Gradient|Window|Baseline|Limiter|Token|Outcome|Waiters|Fixed|State", "-skip", "Mutants|Simulation", ".")
	run.Env = append(os.Environ(), "HEADRACE_MUTANTS=", "HEADRACE_REQUIRE=", "HEADRACE_SHARED="+folder)
	out, err := run.CombinedOutput()
	if err == nil || strings.Contains(string(out), "[build failed]") {
		return "", string(out)
	}
	if m := failed.FindStringSubmatch(string(out)); m != nil {
		return m[1], ""
	}
	return "a panic or a deadlock", ""
}

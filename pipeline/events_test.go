package pipeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/rs/zerolog"
)

// journal collects log events as "level message field=value ...", the fields
// sorted.
type journal struct{ bytes.Buffer }

func (j *journal) logger() zerolog.Logger { return zerolog.New(zerolog.SyncWriter(j)) }

func (j *journal) lines(t *testing.T) (lines []string) {
	t.Helper()
	for raw := range strings.Lines(j.String()) {
		fields := map[string]any{}
		if err := json.Unmarshal([]byte(raw), &fields); err != nil {
			t.Fatalf("%v in %q", err, raw)
		}
		if stack, ok := fields["stack"].(string); ok && strings.HasPrefix(stack, "goroutine ") {
			fields["stack"] = "(stack)"
		}
		line := fmt.Sprint(fields["level"], " ", fields["message"])
		delete(fields, "level")
		delete(fields, "message")
		var rest []string
		for name, value := range fields {
			rest = append(rest, fmt.Sprintf("%s=%v", name, value))
		}
		slices.Sort(rest)
		lines = append(lines, line+" "+strings.Join(rest, " "))
	}
	return lines
}

func (j *journal) check(t *testing.T, want ...string) {
	t.Helper()
	got := j.lines(t)
	for i := range max(len(got), len(want)) {
		var g, w string
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("line %d\n\tgot  %q\n\twant %q", i, g, w)
		}
	}
}

func TestEventsOfRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		c := Config[string, item]{
			Name: "quotes", Logger: j.logger(), Attempts: 2, Metronome: every,
			Governor:   governor.Options{High: time.Second, Base: 1, Window: 1},
			DeadLetter: func(handling, entry, error) { panic("dead letter") },
		}
		c.Cache.MaxEntries, c.Cache.Overflow = 2, cache.EvictOldest
		c.Cache.OnDrop = func(entry, cache.Reason) { panic("drop") }
		p := mustNew(t, c)
		p.Produce(Producer[item]{
			Name:      "feed",
			Source:    script(65*ms, at(ms, item{"a", 1}, item{"b", 1}, item{"c", 1}), []step{{at: 2 * ms, err: ErrInvalid}}),
			OnInvalid: func(error) { panic("invalid") },
		})
		p.Consume(func(_ handling, e entry) error {
			switch {
			case e.Key == "b" && e.Attempts == 1:
				return errBoom
			case e.Key == "b":
				panic(errBoom)
			}
			return nil
		})
		if err := p.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		j.check(t,
			"info pipeline started pipeline=quotes producers=1 workers=1",
			"warn value dropped key=a pipeline=quotes reason=evicted",
			"error callback panicked callback=OnDrop error=panic: drop pipeline=quotes stack=(stack)",
			"warn value invalid error=pipeline: invalid value pipeline=quotes producer=feed",
			"error callback panicked callback=OnInvalid error=panic: invalid pipeline=quotes stack=(stack)",
			"warn handler failed attempt=1 error=boom key=b pipeline=quotes",
			"debug governor decision braked=false from=1 high=1000 low=500 pipeline=quotes queued=0 reason=at base samples=1 signal=0 to=1",
			"error entry dead attempts=2 error=panic: boom key=b pipeline=quotes stack=(stack)",
			"error callback panicked callback=DeadLetter error=panic: dead letter pipeline=quotes stack=(stack)",
			"error callback panicked callback=OnDrop error=panic: drop pipeline=quotes stack=(stack)",
			"info pipeline stopping cause=end of input pipeline=quotes",
			"info pipeline stopped dead=1 done=1 merged=0 pipeline=quotes puts=3 waiting=0",
		)
	})
}

func TestEventsOfDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		c := Config[string, item]{Logger: j.logger(), DrainTimeout: 20 * ms}
		c.Cache.MaxEntries, c.Cache.Overflow = 1, cache.Reject
		p := mustNew(t, c)
		p.Produce(Producer[item]{Name: "feed", Source: script(forever, at(ms, item{"a", 1}), at(2*ms, item{"b", 1}, item{"c", 1}), at(20*ms, item{"d", 1}))})
		p.Consume(func(ctx handling, _ entry) error { <-ctx.Done(); return ctx.Err() })
		if err := p.Run(cancelAt(t, 10*ms)); err == nil {
			t.Error("Run returned nil")
		}
		j.check(t,
			"info pipeline started pipeline=pipeline producers=1 workers=1",
			"warn value rejected error=cache: full pipeline=pipeline producer=feed",
			"info pipeline stopping cause=cancelled pipeline=pipeline",
			"warn value rejected error=cache: closed pipeline=pipeline producer=feed",
			"warn drain deadline reached leased=1 pipeline=pipeline waiting=1",
			"error pipeline stopped dead=0 done=0 error=pipeline: entries left behind: 2 waiting, 0 in handlers merged=0 pipeline=pipeline puts=4 waiting=2",
		)
	})
}

func TestEventsCauses(t *testing.T) {
	run := func(t *testing.T, s Source[item], c Config[string, item]) []string {
		var j journal
		c.Logger = j.logger()
		p := mustNew(t, c)
		p.Produce(Producer[item]{Name: "feed", Source: s})
		p.Consume(func(handling, entry) error { return nil })
		p.Run(t.Context())
		return j.lines(t)[1:]
	}
	synctest.Test(t, func(t *testing.T) {
		got := run(t, script(0, []step{{err: errBoom}}), Config[string, item]{})
		want := []string{
			"info pipeline stopping cause=producer failed pipeline=pipeline",
			`error pipeline stopped dead=0 done=0 error=pipeline: producer "feed": boom merged=0 pipeline=pipeline puts=0 waiting=0`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n\t%q\nwant\n\t%q", got, want)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		c := Config[string, item]{Metronome: every}
		c.Metronome.Limit = 1
		got := run(t, script(forever), c)
		if want := "info pipeline stopping cause=metronome limit pipeline=pipeline"; got[0] != want {
			t.Errorf("got %q, want %q", got[0], want)
		}
	})
}

// Each kind of event is written five times a second, and none hides another.
func TestEventsRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		e := newEvents(j.logger(), "quotes")
		kinds := []func(){
			func() { e.failed("k", 1, errBoom) },
			func() { e.dead("k", 1, errBoom) },
			func() { e.invalid("feed", errBoom) },
			func() { e.rejected("feed", errBoom) },
			func() { e.dropped("k", cache.Stale) },
			func() { e.call("OnDrop", func() { panic("x") }) },
			func() { e.sourceFailed("feed", errBoom, 0) },
		}
		for round := 1; round <= 2; round++ {
			for _, kind := range kinds {
				for range 100 {
					kind()
				}
			}
			count := map[string]int{}
			for _, line := range j.lines(t) {
				words := strings.Fields(line)
				count[strings.Join(words[1:3], " ")]++
			}
			if len(count) != len(kinds) {
				t.Errorf("%d kinds in %v, want %d", len(count), count, len(kinds))
			}
			for kind, n := range count {
				if n != 5*round {
					t.Errorf("second %d: %q was written %d times, want %d", round, kind, n, 5*round)
				}
			}
			time.Sleep(time.Second)
		}
	})
}

// A dead entry is one event, not a dropped value besides.
func TestEventsDeadIsNotDropped(t *testing.T) {
	var j journal
	e := newEvents(j.logger(), "quotes")
	e.dropped("k", cache.Dead)
	j.check(t)
}

func TestEventsSilent(t *testing.T) {
	e := newEvents(zerolog.Logger{}, "quotes")
	e.started(1, 1)
	e.failed("k", 1, &PanicError{Value: "x"})
	e.stopped(cache.Ledger{}, errBoom)
}

// rude is a key and an error whose methods panic.
type rude struct{}

func (rude) Error() string                { panic("error") }
func (rude) MarshalJSON() ([]byte, error) { panic("key") }

// What the user's methods do while an event is written is no concern of the
// pipeline's.
func TestEventsGuarded(t *testing.T) {
	var j journal
	e := newEvents(j.logger(), "quotes")
	e.failed(rude{}, 1, rude{})
	e.dead(rude{}, 1, rude{})
	e.dropped(rude{}, cache.Evicted)
	e.invalid("feed", rude{})
	e.rejected("feed", rude{})
	e.sourceFailed("feed", rude{}, 0)
	e.sourceFailed("feed", rude{}, 1)
	e.stopped(cache.Ledger{}, rude{})
	e.limit(1, 2) // still writes
	if lines := j.lines(t); len(lines) != 1 {
		t.Errorf("events %q", lines)
	}
}

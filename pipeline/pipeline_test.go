package pipeline

import (
	"errors"
	"iter"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
)

func TestRunErrors(t *testing.T) {
	source := FromSeq(slices.Values(five))
	handler := func(handling, entry) error { return nil }
	tests := []struct {
		name      string
		producers []Producer[item]
		handler   Handler[string, item]
		want      string
	}{
		{"no consumer", []Producer[item]{{Source: source}}, nil, "no consumer: call Consume before Run"},
		{"no producer", nil, handler, "no producer: call Produce before Run"},
		{"no source", []Producer[item]{{Source: source}, {Name: "feed"}}, handler, `producer "feed": Source must be set`},
		{"same name", []Producer[item]{{Name: "feed", Source: source}, {Name: "feed", Source: source}}, handler,
			`producer "feed": the Name is taken by another one`},
		{"same name by default", []Producer[item]{{Name: "producer-2", Source: source}, {Source: source}}, handler,
			`producer "producer-2": the Name is taken by another one`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := mustNew(t, Config[string, item]{})
			for _, r := range test.producers {
				p.Produce(r)
			}
			if test.handler != nil {
				p.Consume(test.handler)
			}
			err := p.Run(t.Context())
			if !errors.Is(err, ErrConfig) {
				t.Fatalf("Run returned %v", err)
			}
			if want := "pipeline: invalid configuration: " + test.want; err.Error() != want {
				t.Errorf("got  %q\nwant %q", err, want)
			}
			if !p.Stats().Time.IsZero() && p.Stats().Elapsed != 0 {
				t.Error("the clock of a run that never began goes")
			}
		})
	}
}

func TestRunTwice(t *testing.T) {
	p := mustNew(t, Config[string, item]{})
	p.Consume(func(handling, entry) error { return nil })
	if err := p.Run(t.Context()); !errors.Is(err, ErrConfig) {
		t.Fatalf("Run without a producer returned %v", err)
	}
	p.Produce(Producer[item]{Source: FromSeq(slices.Values(five))})
	if err := p.Run(t.Context()); err != nil {
		t.Fatalf("a refused Run counts: %v", err)
	}
	err := p.Run(t.Context())
	if want := "pipeline: invalid configuration: Run was called before: a pipeline runs once"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %q", err, want)
	}
}

// Waiting shows what waits, oldest first, while the pipeline runs too.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p *Pipeline[string, item]
		var got []string
		p = mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Source: script(ms, at(0, five[:3]...))})
		p.Consume(func(handling, entry) error {
			synctest.Wait()
			keys(p.Waiting())(func(k string) bool { got = append(got, k); return true })
			got = append(got, "/")
			return nil
		})
		if err := p.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := []string{"b", "c", "/", "c", "/", "/"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func keys(entries iter.Seq[cache.Entry[string, item]]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for e := range entries {
			if !yield(e.Key) {
				return
			}
		}
	}
}

// The callbacks of nested options are called besides what the pipeline adds.
func TestNestedCallbacks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDiary()
		c := Config[string, item]{Metronome: every}
		c.Governor = dividing(1)
		c.Governor.Window = 1
		c.Governor.OnDecision = decisionPanics(d)
		mustRun(t, c, script(45*ms, at(0, five...)), d.reader(0))
		d.check(t, "10ms a1", "10ms decision", "20ms b1", "30ms c1", "40ms d1", "45ms e1")
	})
}

func decisionPanics(d *diary) func(governor.Decision) {
	return func(governor.Decision) {
		d.note("decision")
		panic("decision")
	}
}

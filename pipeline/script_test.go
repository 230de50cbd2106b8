package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
)

// Short names for the arguments of a handler.
type (
	handling = context.Context
	entry    = cache.Entry[string, item]
)

var errBoom = errors.New("boom")

// item is a value of the tests.
type item struct {
	key string
	n   int
}

func (i item) String() string { return fmt.Sprint(i.key, i.n) }

func keyOf(i item) string { return i.key }

// step is what a scripted source yields, and when.
type step struct {
	at time.Duration
	item
	err     error
	receipt Receipt
}

// at makes the steps of one instant.
func at(when time.Duration, items ...item) []step {
	var steps []step
	for _, i := range items {
		steps = append(steps, step{at: when, item: i})
	}
	return steps
}

// forever is the end of a script that ends with its context only.
const forever = time.Hour

// script is a source that yields its steps when they are due and ends at end.
// Times count from the call of script. It ends early when its context does.
func script(end time.Duration, lists ...[]step) Source[item] {
	start := time.Now()
	steps := append(slices.Concat(lists...), step{at: end})
	return func(ctx context.Context) iter.Seq2[Delivery[item], error] {
		return func(yield func(Delivery[item], error) bool) {
			for i, s := range steps {
				select {
				case <-time.After(time.Until(start.Add(s.at))):
				case <-ctx.Done():
					return
				}
				if i == len(steps)-1 || !yield(Delivery[item]{Value: s.item, Receipt: s.receipt}, s.err) {
					return
				}
			}
		}
	}
}

// diary notes what happened and when.
type diary struct {
	start time.Time
	mu    sync.Mutex
	lines []string
}

func newDiary() *diary { return &diary{start: time.Now()} }

func (d *diary) note(format string, args ...any) {
	line := fmt.Sprintf("%v %s", time.Since(d.start), fmt.Sprintf(format, args...))
	d.mu.Lock()
	d.lines = append(d.lines, line)
	d.mu.Unlock()
}

func (d *diary) check(t *testing.T, want ...string) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Equal(d.lines, want) {
		t.Errorf("got\n\t%q\nwant\n\t%q", d.lines, want)
	}
}

// reader is a handler that notes each entry and takes its time over it.
func (d *diary) reader(service time.Duration) Handler[string, item] {
	return func(_ context.Context, e cache.Entry[string, item]) error {
		d.note("%v", e.Value)
		time.Sleep(service)
		return nil
	}
}

// slip is a receipt that notes how it was settled.
type slip struct {
	*diary
	name string
}

func (s slip) Ack() bool  { s.note("ack %s", s.name); return true }
func (s slip) Nack() bool { s.note("nack %s", s.name); return true }

func mustNew(tb testing.TB, c Config[string, item]) *Pipeline[string, item] {
	tb.Helper()
	if c.Key == nil {
		c.Key = keyOf
	}
	p, err := New(c)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// mustRun runs a pipeline of one producer to its end.
func mustRun(t *testing.T, c Config[string, item], source Source[item], h Handler[string, item]) *Pipeline[string, item] {
	t.Helper()
	p := mustNew(t, c)
	p.Produce(Producer[item]{Name: "feed", Source: source})
	p.Consume(h)
	if err := p.Run(t.Context()); err != nil {
		t.Errorf("Run: %v", err)
	}
	checkBalance(t, p)
	return p
}

// mustStop runs a pipeline of one producer, cancels it after a second, and checks that
// it ends so much later, without an error.
func mustStop(t *testing.T, source Source[item], later time.Duration) *Pipeline[string, item] {
	t.Helper()
	p := mustNew(t, Config[string, item]{DrainTimeout: 10 * time.Second})
	p.Produce(Producer[item]{Name: "feed", Source: source})
	p.Consume(func(context.Context, entry) error { return nil })
	start := time.Now()
	if err := p.Run(cancelAt(t, time.Second)); err != nil || time.Since(start) != time.Second+later {
		t.Errorf("Run returned %v after %v, want %v", err, time.Since(start), time.Second+later)
	}
	checkBalance(t, p)
	return p
}

// checkBalance checks the sums that hold after Run.
func checkBalance(t *testing.T, p *Pipeline[string, item]) {
	t.Helper()
	s := p.Stats()
	if err := s.Ledger.Check(); err != nil {
		t.Error(err)
	}
	for _, r := range s.Producers {
		if r.Received != r.Admitted+r.Rejected+r.Invalid {
			t.Errorf("producer does not balance: %+v", r)
		}
	}
}

const ms = time.Millisecond

// cancelAll is the end of a run that was never started.
func (r *run[K, V]) cancelAll() {
	r.cancelInputs()
	r.cancelTakes()
	r.cancelHandlers()
	r.cancelSources()
}

// mustEnd runs a pipeline whose consumer is set to the end of a script.
func mustEnd(t *testing.T, p *Pipeline[string, item], source Source[item]) {
	t.Helper()
	p.Produce(Producer[item]{Name: "feed", Source: source})
	if err := p.Run(t.Context()); err != nil {
		t.Errorf("Run: %v", err)
	}
	checkBalance(t, p)
}

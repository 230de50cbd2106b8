package pipeline

import (
	"errors"
	"slices"
	"testing"

	"github.com/headrace/headrace/governor"
)

func TestConsumeErrors(t *testing.T) {
	one := func(handling, entry) error { return nil }
	many := func(handling, []entry) error { return nil }
	later := func(handling, entry, func(error)) {}
	type pipe = *Pipeline[string, item]
	tests := []struct {
		consume func(p pipe)
		want    string
	}{
		{func(p pipe) {}, "no consumer: call Consume before Run"},
		{func(p pipe) { p.Consume(nil) }, "the consumer's handler must not be nil"},
		{func(p pipe) { p.ConsumeBatch(2, nil) }, "the consumer's handler must not be nil"},
		{func(p pipe) { p.ConsumeAsync(nil) }, "the consumer's handler must not be nil"},
		{func(p pipe) { p.ConsumeBatch(0, many) }, "ConsumeBatch: size must be from 1 to 1048576, got 0"},
		{func(p pipe) { p.ConsumeBatch(most+1, many) }, "ConsumeBatch: size must be from 1 to 1048576, got 1048577"},
		{func(p pipe) { p.Consume(one); p.ConsumeAsync(later) }, "2 consumers: call one Consume method, once"},
		{
			func(p pipe) { p.ConsumeAsync(later) }, // with the governor below
			"Governor: governor: invalid options: Parallel must be stated for an asynchronous consumer",
		},
	}
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			p := mustNew(t, Config[string, item]{Metronome: every, Governor: dividing(1)})
			p.Produce(Producer[item]{Source: FromSeq(slices.Values(five))})
			test.consume(p)
			err := p.Run(t.Context())
			if !errors.Is(err, ErrConfig) {
				t.Fatalf("Run returned %v", err)
			}
			if want := "pipeline: invalid configuration: " + test.want; err.Error() != want {
				t.Errorf("got  %q\nwant %q", err, want)
			}
		})
	}
}

// What of a consumer can be released at once, and what it can work on.
func TestConsumeAtOnce(t *testing.T) {
	many := func(handling, []entry) error { return nil }
	later := func(handling, entry, func(error)) {}
	tests := []struct {
		name               string
		reads, limit       int
		consume            func(p *Pipeline[string, item])
		releases, parallel int
	}{
		{"one by one", 9, 0, func(p *Pipeline[string, item]) { p.Consume(func(handling, entry) error { return nil }) }, 3, 3},
		{"batch", 9, 0, func(p *Pipeline[string, item]) { p.ConsumeBatch(4, many) }, 12, 12},
		{"batch with a limit of calls", 9, 2, func(p *Pipeline[string, item]) { p.ConsumeBatch(4, many) }, 12, 8},
		{"asynchronous", 9, 0, func(p *Pipeline[string, item]) { p.ConsumeAsync(later) }, 9, 7},
		{"asynchronous with few reads", 1, 0, func(p *Pipeline[string, item]) { p.ConsumeAsync(later) }, 3, 7},
		{"asynchronous with a limit", 9, 5, func(p *Pipeline[string, item]) { p.ConsumeAsync(later) }, 9, 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := Config[string, item]{Metronome: every, Governor: dividing(1), Workers: 3, Reads: test.reads}
			c.Governor.Parallel = 7
			if test.limit > 0 {
				c.Limit = governor.Fixed(test.limit)
			}
			p := mustNew(t, c)
			test.consume(p)
			r := newRun(t.Context(), p)
			defer r.cancelAll()
			if got := r.gate.size(); got != test.releases {
				t.Errorf("%d releases at once, want %d", got, test.releases)
			}
			if got := r.parallel(); got != test.parallel {
				t.Errorf("%d entries at once, want %d", got, test.parallel)
			}
		})
	}
}

package pipeline

import (
	"errors"
	"testing"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/metronome"
)

func TestConfigErrors(t *testing.T) {
	type config = Config[string, item]
	tests := []struct {
		change func(c *config)
		want   string
	}{
		{func(c *config) { c.Key = nil }, "Key must be set: it tells which values may be merged"},
		{func(c *config) { c.Reads = -1 }, "Reads must be from 1 to 1048576, got -1"},
		{func(c *config) { c.Workers = -2 }, "Workers must be from 1 to 1048576, got -2"},
		{func(c *config) { c.Attempts = -3 }, "Attempts must be at least 1, got -3"},
		{func(c *config) { c.Backoff.First = -1 }, "Backoff.First must not be negative, got -1ns"},
		{func(c *config) { c.Backoff = Backoff{10 * ms, 5 * ms} }, "Backoff.Max must not be below Backoff.First (10ms), got 5ms"},
		{func(c *config) { c.DrainTimeout = -1 }, "DrainTimeout must not be negative, got -1ns"},
		{func(c *config) { c.Grace = -1 }, "Grace must not be negative, got -1ns"},
		{func(c *config) { c.Reads = 2 }, "Reads needs a metronome: set Metronome.Interval"},
		{func(c *config) { c.Governor.High = 1 }, "Governor needs a metronome to slow down: set Metronome.Interval"},
		{func(c *config) { c.Metronome.Interval = -1 }, "Metronome: metronome: Options.Interval is negative: -1ns"},
		{func(c *config) { c.Cache.MaxEntries = -1 }, "Cache: cache: MaxEntries must not be negative, got -1"},
		{func(c *config) { c.Cache.Overflow = cache.Reject }, "Cache: cache: Overflow needs MaxEntries or MaxBytes, which are 0"},
		{
			func(c *config) { c.Metronome.Interval, c.Governor.High = ms, -1 },
			"Governor: governor: invalid options: High must be positive, got -1ns",
		},
		{
			func(c *config) {
				c.Metronome.Interval, c.Governor = ms, governor.Options{High: ms, Low: 2 * ms}
			},
			"Governor: governor: invalid options: Low must be below High (1ms), got 2ms",
		},
	}
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			c := config{Key: keyOf}
			test.change(&c)
			p, err := New(c)
			if p != nil || !errors.Is(err, ErrConfig) {
				t.Fatalf("New returned %p, %v", p, err)
			}
			if want := "pipeline: invalid configuration: " + test.want; err.Error() != want {
				t.Errorf("got  %q\nwant %q", err, want)
			}
		})
	}
}

func TestConfigWrapsGovernorErrors(t *testing.T) {
	_, err := New(Config[string, item]{Key: keyOf, Metronome: metronome.Options{Interval: ms}, Governor: governor.Options{High: -1}})
	if !errors.Is(err, governor.ErrOptions) {
		t.Errorf("%v does not wrap %v", err, governor.ErrOptions)
	}
}

func TestConfigDefaults(t *testing.T) {
	var c Config[string, item]
	c.setDefaults()
	if c.Name != "pipeline" || c.Reads != 1 || c.Workers != 1 || c.Attempts != 4 ||
		c.Backoff != (Backoff{10 * ms, time.Second}) || c.DrainTimeout != 30*time.Second || c.Grace != 5*time.Second {
		t.Errorf("got %+v", c)
	}
	c = Config[string, item]{Backoff: Backoff{First: time.Minute}}
	c.setDefaults()
	if c.Backoff.Max != time.Minute {
		t.Errorf("Backoff.Max is %v, want that of First", c.Backoff.Max)
	}
	c = Config[string, item]{Backoff: Backoff{Max: 5 * ms}}
	c.setDefaults()
	if c.Backoff.First != 5*ms {
		t.Errorf("Backoff.First is %v, want that of Max", c.Backoff.First)
	}
}

package pubsub

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/pipeline"
)

// The words in which a user is told what is wrong.
func TestConflateOptionsErrors(t *testing.T) {
	good := func() ConflateOptions { return ConflateOptions{Key: MetadataKey("key")} }
	dead := func(context.Context, Entry, error) {}
	tests := []struct {
		change func(*ConflateOptions)
		want   string
	}{
		{func(o *ConflateOptions) { o.Key = nil }, "Key must be set: it tells which messages may be merged"},
		{func(o *ConflateOptions) { o.Credit = -1 }, "Credit must be at least 1, got -1"},
		{func(o *ConflateOptions) { o.Attempts, o.DeadLetter = -1, dead }, "Attempts must not be negative, got -1"},
		{func(o *ConflateOptions) { o.Attempts = 1 }, "Attempts needs DeadLetter: without it the message would be lost"},
		{func(o *ConflateOptions) { o.Window = -1 }, "Window must not be negative, got -1"},
		{func(o *ConflateOptions) { o.HoldLimit = -time.Second }, "HoldLimit must not be negative, got -1s"},
		{func(o *ConflateOptions) { o.Parallel = -1 }, "Parallel must be at least 1, got -1"},
		{func(o *ConflateOptions) { o.Parallel = 2 }, "Parallel subscriptions reorder messages: set Cache.Newer to tell which is newer, or Partitioned if they never share a key"},
		{func(o *ConflateOptions) { o.Acknowledge = 9 }, "Acknowledge must be AckOnAdmit or AckOnDone, got 9"},
		{func(o *ConflateOptions) { o.Acknowledge, o.Window = pipeline.AckOnDone, 1 }, "AckOnDone with a Window of 1 can never merge anything: the subscriber hands out a message only when the one before is acknowledged. Use AckOnAdmit, Parallel subscriptions, or a subscriber with a larger Window"},
	}
	for _, test := range tests {
		o := good()
		test.change(&o)
		sub, err := Conflate(newBroker(1), o)
		want := "pipeline: invalid configuration: Conflate: " + test.want
		if err == nil || err.Error() != want || !errors.Is(err, pipeline.ErrConfig) || sub != nil {
			t.Errorf("got %v, %v, want %s", sub, err, want)
		}
	}

	// What the pipeline looks at.
	for name, change := range map[string]func(*ConflateOptions){
		"drain":    func(o *ConflateOptions) { o.DrainTimeout = -1 },
		"back-off": func(o *ConflateOptions) { o.Backoff.First = -1 },
		"cache":    func(o *ConflateOptions) { o.Cache.MaxEntries = -1 },
		"limit":    func(o *ConflateOptions) { o.Limit = governor.Fixed(0) },
		"governor": func(o *ConflateOptions) { o.Governor.High = time.Second },
		"beats":    func(o *ConflateOptions) { o.Metronome.Interval = -1 },
	} {
		o := good()
		change(&o)
		if _, err := NewConflator(o); !errors.Is(err, pipeline.ErrConfig) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// What is allowed, beside what the other tests use.
func TestConflateOptions(t *testing.T) {
	for name, o := range map[string]ConflateOptions{
		"a window of 1, joined":  {Acknowledge: pipeline.AckOnDone, Window: 1, Parallel: 2, Partitioned: true},
		"an unknown window":      {Acknowledge: pipeline.AckOnDone},
		"on admit, a window 1":   {Window: 1},
		"bytes, with own SizeOf": {Cache: cache.Options[string, wm]{MaxBytes: 1, SizeOf: func(string, *message.Message) int64 { return 1 }}},
	} {
		o.Key = MetadataKey("key")
		if _, err := NewConflator(o); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package pipeline

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// The words of the refusals.
func TestAcknowledgeErrors(t *testing.T) {
	tests := []struct {
		producer Producer[item]
		want     string
	}{
		{Producer[item]{Acknowledge: AckOnDone + 1}, "Acknowledge must be AckOnAdmit or AckOnDone, got 2"},
		{Producer[item]{Window: -1}, "Window must not be negative, got -1"},
		{Producer[item]{HoldLimit: -time.Second}, "HoldLimit must not be negative, got -1s"},
		{Producer[item]{Acknowledge: AckOnDone, Window: 1}, "AckOnDone with a Window of 1 can never merge anything: the source hands out a value only when the one before is acknowledged. Use AckOnAdmit, Parallel sources, or a source with a larger Window"},
		{Producer[item]{Window: 1}, ""},
		{Producer[item]{Acknowledge: AckOnDone}, ""},
		{Producer[item]{Acknowledge: AckOnDone, Window: 2}, ""},
		{Producer[item]{Acknowledge: AckOnDone, Window: 1, Parallel: 2, Partitioned: true}, ""},
	}
	for _, test := range tests {
		p := mustNew(t, Config[string, item]{})
		test.producer.Name = "feed"
		test.producer.Source = FromSeq(slices.Values([]item(nil)))
		p.Produce(test.producer)
		p.Consume(func(handling, entry) error { return nil })
		err := p.Run(t.Context())
		if test.want == "" {
			if err != nil {
				t.Errorf("%+v: %v", test.producer, err)
			}
			continue
		}
		want := `pipeline: invalid configuration: producer "feed": ` + test.want
		if err == nil || err.Error() != want || !errors.Is(err, ErrConfig) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A warning says that values can wait longer than their source allows.
func TestAcknowledgeHoldLimit(t *testing.T) {
	tests := []struct {
		acknowledge   Acknowledge
		limit, maxAge time.Duration
		want          bool
	}{
		{AckOnDone, 30 * time.Second, 0, true},
		{AckOnDone, 30 * time.Second, 30 * time.Second, true},
		{AckOnDone, 30 * time.Second, 29 * time.Second, false},
		{AckOnDone, 0, 0, false},
		{AckOnAdmit, 30 * time.Second, 0, false},
	}
	for _, test := range tests {
		p := newProducer(Producer[item]{Acknowledge: test.acknowledge, HoldLimit: test.limit}, 1)
		if got := p.outlasts(test.maxAge); got != test.want {
			t.Errorf("%+v: got %v", test, got)
		}
	}
}

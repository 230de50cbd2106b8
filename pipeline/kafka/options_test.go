package kafka

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

func TestOptionsDefaults(t *testing.T) {
	o, err := Options{}.withDefaults()
	if err != nil || o.Window != 1000 || o.Uncommitted != 100_000 || o.NackDelay != time.Second {
		t.Errorf("got %+v, %v", o, err)
	}
}

func TestOptionsErrors(t *testing.T) {
	for _, test := range []struct {
		o    Options
		want string
	}{
		{Options{Window: -1}, "kafka: Window must not be negative, got -1"},
		{Options{Window: 10, Uncommitted: 9}, "kafka: Uncommitted must not be less than Window (10), got 9"},
		{Options{NackDelay: -1}, "kafka: NackDelay must not be negative, got -1ns"},
		{Options{Client: []kgo.Opt{kgo.ConsumerGroup("readers"), kgo.DisableAutoCommit()}}, "kafka: cannot both disable autocommitting and enable marked autocommitting"},
		{Options{Client: []kgo.Opt{kgo.ConsumeTopics("quotes")}}, "kafka: invalid autocommit options specified when a group was not specified"},
	} {
		r := start(t, Consume(test.o, decode))
		if got := r.next().String(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		r.end()
	}
}

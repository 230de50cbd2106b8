package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Producers are told apart by their number unless they have a name.
func TestProducerNames(t *testing.T) {
	p := mustNew(t, Config[string, item]{})
	for _, name := range []string{"", "feed", ""} {
		p.Produce(Producer[item]{Name: name})
	}
	var names []string
	for _, s := range p.Stats().Producers {
		names = append(names, s.Name)
	}
	if want := []string{"producer-1", "feed", "producer-3"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

func TestProducerErrors(t *testing.T) {
	source := FromSeq(slices.Values(five))
	for want, producer := range map[string]Producer[item]{
		"Source must be set":                                                                                                {},
		"Parallel must be from 1 to 1048576, got -1":                                                                        {Source: source, Parallel: -1},
		"Parallel must be from 1 to 1048576, got 1048577":                                                                   {Source: source, Parallel: most + 1, Partitioned: true},
		"OnFailure must be StopAll, Restart or CarryOn, got 3":                                                              {Source: source, OnFailure: CarryOn + 1},
		"RestartBackoff must not be negative, nor Max below First, got -1ns and 1s":                                         {Source: source, RestartBackoff: Backoff{First: -1}},
		"RestartBackoff must not be negative, nor Max below First, got 2ms and 1ms":                                         {Source: source, RestartBackoff: Backoff{2 * ms, ms}},
		"Intermittent: Below needs Above, which is 0":                                                                       {Source: source, Intermittent: Intermittent{Below: 1}},
		"Parallel sources reorder values: set Cache.Newer to tell which is newer, or Partitioned if they never share a key": {Source: source, Parallel: 2},
	} {
		producer.Name = "feed"
		p := mustNew(t, Config[string, item]{})
		p.Produce(producer)
		p.Consume(func(handling, entry) error { return nil })
		err := p.Run(t.Context())
		if want := `pipeline: invalid configuration: producer "feed": ` + want; !errors.Is(err, ErrConfig) || err.Error() != want {
			t.Errorf("got  %v\nwant %q", err, want)
		}
	}
}

// Parallel sources share a name and its counters. With Newer it does not matter
// who comes first.
func TestProducerParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		values := make(chan item)
		go func() {
			defer close(values)
			for n := range 100 {
				values <- item{"a", n}
			}
		}()
		var last atomic.Int64
		var c Config[string, item]
		c.Cache.Newer = func(waiting, arriving item) bool { return arriving.n > waiting.n }
		p := mustNew(t, c)
		p.Produce(Producer[item]{Name: "feed", Source: FromChannel(values), Parallel: 4})
		p.Consume(func(_ handling, e entry) error {
			time.Sleep(ms)
			last.Store(int64(e.Value.n))
			return nil
		})
		if err := p.Run(t.Context()); err != nil {
			t.Error(err)
		}
		checkBalance(t, p)
		if s := p.Stats(); len(s.Producers) != 1 || s.Producers[0].Admitted != 100 {
			t.Errorf("producers %+v", s.Producers)
		}
		if last.Load() != 99 {
			t.Errorf("the last value is %d, want 99", last.Load())
		}
	})
}

// Connected counts them, and each has a name of its own in an error.
func TestProducerInstances(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		p := mustNew(t, Config[string, item]{Grace: 5 * ms})
		p.Produce(Producer[item]{Name: "feed", Parallel: 2, Partitioned: true, Source: FromSeq(func(func(item) bool) { <-release })})
		p.Consume(func(handling, entry) error { return nil })
		time.AfterFunc(ms, func() {
			if got := p.Stats().Producers[0].Connected; got != 2 {
				t.Errorf("%d connected, want 2", got)
			}
		})
		err := p.Run(cancelAt(t, 10*ms))
		want := `pipeline: left behind after the grace period: producer "feed", instance 1, producer "feed", instance 2`
		if got := fmt.Sprint(err); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		close(release)
	})
}

// The failure of one names it, and stops the others.
func TestProducerInstanceFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := make(chan Source[item], 2)
		turns <- script(forever, []step{{at: ms, err: errBoom}})
		turns <- script(forever)
		p := mustNew(t, Config[string, item]{})
		p.Produce(Producer[item]{Name: "feed", Parallel: 2, Partitioned: true, Source: oneOf(turns)})
		p.Consume(func(handling, entry) error { return nil })
		err := p.Run(t.Context())
		one, two := `pipeline: producer "feed", instance 1: boom`, `pipeline: producer "feed", instance 2: boom`
		if got := fmt.Sprint(err); got != one && got != two {
			t.Errorf("got %q, want %q or the other", got, one)
		}
	})
}

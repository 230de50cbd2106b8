package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor/quota"
	"github.com/headrace/headrace/pipeline"
)

const (
	greedy   = 14                   // producers of the greedy tenant; the others have one
	modest   = 5 * time.Millisecond // between two readings of the others
	decoding = 2 * time.Millisecond // of a reading, in its producer

	room     = 512                  // entries in the cache
	workers  = 2                    // of the consumer
	handling = 2 * time.Millisecond // of a reading, in a worker
)

// session is one run of the pipeline.
type session struct {
	options  options
	tenants  []*tenant // the greedy one first
	monitor  *monitor
	out      io.Writer
	settings *settings     // nil without quotas, as is
	quotas   *quota.Quotas // what the pipeline makes of them
}

func newSession(o options, out io.Writer) *session {
	s := &session{options: o, out: out, tenants: []*tenant{
		{name: "acme", producers: greedy, decoding: decoding},
		{name: "birch", producers: 1, every: modest, decoding: decoding},
		{name: "cedar", producers: 1, every: modest, decoding: decoding},
	}}
	s.monitor = newMonitor(s.tenants, out)
	return s
}

// limitBy puts the quotas of a directory in force.
func (s *session) limitBy(settings *settings) (err error) {
	s.settings = settings
	s.quotas, err = quota.New(quota.Options{Dir: settings.dir})
	s.monitor.quotas = s.quotas
	return err
}

// run runs the pipeline for the duration, or until ctx is cancelled.
func (s *session) run(ctx context.Context) error {
	p, err := pipeline.New(pipeline.Config[device, reading]{
		Name:    "quotas",
		Key:     reading.key,
		Cache:   cache.Options[device, reading]{MaxEntries: room}, // a producer that finds no room waits
		Workers: workers,
		Quotas:  s.quotas,
	})
	if err != nil {
		return err
	}
	for _, t := range s.tenants {
		p.Produce(t.producer())
	}
	p.Consume(handle)

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var conductor sync.WaitGroup
	var failure error
	conductor.Go(func() {
		defer stop()
		failure = s.conduct(ctx, p)
	})
	err = p.Run(ctx)
	stop() // for a pipeline that failed
	conductor.Wait()
	if err == nil {
		err = failure
	}
	return err
}

// conduct reports once a second, lowers a quota in the middle, and returns when the
// time is over.
func (s *session) conduct(ctx context.Context, p *pipeline.Pipeline[device, reading]) error {
	if s.quotas != nil {
		s.settings.printCommands(s.out, s.tenants[0].name)
	}
	s.monitor.begin(p.Stats())
	seconds := int(s.options.duration / time.Second)
	second := time.Tick(time.Second)
	for n := 1; n <= seconds; n++ {
		select {
		case <-second:
			s.monitor.second(p.Stats())
		case <-ctx.Done():
			return nil
		}
		if n == seconds/2 && s.quotas != nil {
			command, err := s.settings.lower(s.tenants[0].name)
			if err != nil {
				return err
			}
			fmt.Fprintf(s.out, "\n  %s\n\n", command)
		}
	}
	return nil
}

// handle is the consumer.
func handle(context.Context, cache.Entry[device, reading]) error {
	time.Sleep(handling) // stands for the work
	return nil
}

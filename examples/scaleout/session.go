package main

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// session is a run of the program.
type session struct {
	options options
	out     *console
	broker  *broker
	sink    *sink
	feed    *feed
	group   *group
}

// run runs everything, and returns what came of it.
func (s *session) run(ctx context.Context, stderr io.Writer) (summary, error) {
	b, err := startBroker(context.Background(), s.options)
	if err != nil {
		return summary{}, err
	}
	defer b.stop()
	s.broker, s.sink = b, newSink()
	if _, err := serve(b.conn, sinkSubject, s.sink.write); err != nil {
		return summary{}, err
	}
	if s.feed, err = newFeed(b.conn, s.options); err != nil {
		return summary{}, err
	}
	s.group = newGroup(b.conn, b.server.ClientURL(), s.options, s.out, stderr)
	err = s.group.start()
	if err == nil {
		err = s.work(ctx)
	}
	if stopped := s.group.stop(); err == nil {
		err = stopped
	}
	return s.sumUp(), err
}

// work publishes, and waits until all is acknowledged.
func (s *session) work(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var beside sync.WaitGroup
	defer beside.Wait()
	defer cancel()
	beside.Go(func() { s.progress(ctx) })
	killed := make(chan error, 1)
	beside.Go(func() { killed <- s.killOne(ctx) })
	if err := s.feed.run(ctx); err != nil {
		return err
	}
	if err := <-killed; err != nil {
		return err
	}
	return s.drain()
}

// killOne kills a worker after a third of the run, and starts it again after half
// of it, if that is wanted.
func (s *session) killOne(ctx context.Context) error {
	if !s.options.kill {
		return nil
	}
	name := workerName(1)
	if !sleep(ctx, s.options.duration/3) {
		return nil
	}
	s.group.kill(name)
	if !sleep(ctx, s.options.duration/6) {
		return nil
	}
	s.out.printf("%s starts again", name)
	return s.group.add(name)
}

// drain waits until the broker has no message that is not acknowledged.
func (s *session) drain() error {
	s.out.printf("all is published")
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		left, err := s.broker.left(context.Background())
		if err != nil || left == 0 {
			return err
		}
	}
	return errors.New("not all messages were acknowledged within 2 minutes")
}

// sleep reports whether the time has passed before ctx has ended.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

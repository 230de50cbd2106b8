package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	js "github.com/nats-io/nats.go/jetstream"
)

// worker is a process that owns partitions.
type worker struct {
	name  string
	write time.Duration
	conn  *nats.Conn
	js    js.JetStream
	fatal chan error // capacity 1

	received, redelivered atomic.Int64 // since the last batch

	mu    sync.Mutex
	owned map[int]*ownership // by partition
}

// ownership is a partition's pipeline at work.
type ownership struct {
	stop  context.CancelFunc
	ended chan struct{}
}

// work is a worker process. It ends when stdin does, so it does not outlive the
// program that started it.
func work(args []string, stdin io.Reader) error {
	signal.Ignore(os.Interrupt) // it concerns the program, which closes stdin
	w := &worker{fatal: make(chan error, 1), owned: make(map[int]*ownership)}
	f := flag.NewFlagSet("worker", flag.ContinueOnError)
	f.StringVar(&w.name, "name", "", "")
	f.DurationVar(&w.write, "write", 0, "")
	url := f.String("broker", "", "")
	if err := f.Parse(args); err != nil {
		return err
	}
	var err error
	if w.conn, err = nats.Connect(*url); err != nil {
		return err
	}
	defer w.conn.Close()
	if w.js, err = js.New(w.conn); err != nil {
		return err
	}
	if err := w.join(); err != nil {
		return err
	}
	go func() {
		io.Copy(io.Discard, stdin)
		w.fail(nil)
	}()
	defer w.releaseAll()
	return <-w.fatal
}

// join takes requests from now on, and says so.
func (w *worker) join() error {
	if err := serveAll(w.conn, ownSubject(w.name), w.own); err != nil {
		return err
	}
	if err := serveAll(w.conn, releaseSubject(w.name), w.release); err != nil {
		return err
	}
	return ask(w.conn, joinSubject(w.name), struct{}{}, patience)
}

// own starts the pipeline of a partition.
func (w *worker) own(l lease) error {
	consumer, err := w.js.Consumer(context.Background(), stream, consumerName(l.Partition))
	if err != nil {
		return err
	}
	p, err := w.pipeline(l, consumer)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := &ownership{stop: cancel, ended: make(chan struct{})}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.owned[l.Partition] != nil {
		cancel()
		return fmt.Errorf("partition %d is owned already", l.Partition)
	}
	w.owned[l.Partition] = o
	go func() {
		defer close(o.ended)
		if err := p.Run(ctx); err != nil {
			w.fail(fmt.Errorf("partition %d: %w", l.Partition, err))
		}
	}()
	return nil
}

// release drains a partition. When it returns, everything that the worker got of
// it is acknowledged, or given back.
func (w *worker) release(l lease) error {
	w.mu.Lock()
	o := w.owned[l.Partition]
	delete(w.owned, l.Partition)
	w.mu.Unlock()
	if o == nil {
		return fmt.Errorf("partition %d is not owned", l.Partition)
	}
	o.stop()
	<-o.ended
	return nil
}

// releaseAll drains all partitions, at the end.
func (w *worker) releaseAll() {
	w.mu.Lock()
	owned := w.owned
	w.owned = make(map[int]*ownership)
	w.mu.Unlock()
	for _, o := range owned {
		o.stop()
	}
	for _, o := range owned {
		<-o.ended
	}
}

// fail ends the worker; with nil, in peace.
func (w *worker) fail(err error) {
	select {
	case w.fatal <- err:
	default:
	}
}

// warn tells of an error that the source survives.
func (w *worker) warn(err error) {
	fmt.Fprintf(os.Stderr, "scaleout: %s: %v\n", w.name, err)
}

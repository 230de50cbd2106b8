package main

import (
	"testing"
	"time"
)

// newWorker returns a worker in the process of its broker.
func newWorker(t *testing.T) *worker {
	t.Helper()
	b, err := startBroker(t.Context(), options{partitions: 1, keys: 1, ackWait: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.stop)
	return &worker{name: "w1", conn: b.conn, js: b.js, owned: make(map[int]*ownership), fatal: make(chan error, 1)}
}

func TestWorkerOwnsOnce(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	for range 2 {
		if err := w.own(lease{Partition: 0, Epoch: 1}); err != nil {
			t.Fatal(err)
		}
		if err := w.own(lease{Partition: 0, Epoch: 2}); err == nil {
			t.Error("want an error: it owns the partition already")
		}
		if err := w.release(lease{Partition: 0}); err != nil {
			t.Error(err)
		}
		if err := w.release(lease{Partition: 0}); err == nil {
			t.Error("want an error: it does not own the partition any more")
		}
	}
	if err := w.own(lease{Partition: 1}); err == nil {
		t.Error("want an error: there is no such partition")
	}
	select {
	case err := <-w.fatal:
		t.Error("a pipeline failed:", err)
	default:
	}
}

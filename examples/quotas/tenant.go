package main

import (
	"context"
	"iter"
	"sync/atomic"
	"time"

	"github.com/headrace/headrace/operators"
	"github.com/headrace/headrace/pipeline"
)

// reading is what a device sends.
type reading struct {
	device
	number int
}

// device is the key: of two readings of a device that wait, the newer one stays.
type device struct {
	tenant   string
	producer int // that all readings of the device come through
	number   int
}

func (r reading) key() device { return r.device }

// devices is the number of devices behind each producer.
const devices = 1000

// tenant is a customer whose devices send readings.
type tenant struct {
	name      string
	producers int
	every     time.Duration // between two readings of a producer; 0: there always is a next one
	decoding  time.Duration // of a reading

	started atomic.Int64 // producers
	busy    atomic.Int64 // nanoseconds spent on decoding
}

// client is the client-id of all producers. The quotas of the program are for users.
const client = "devices"

// producer makes the producers of the tenant.
func (t *tenant) producer() pipeline.Producer[reading] {
	return pipeline.Producer[reading]{
		Name:        t.name,
		Source:      pipeline.Via(pipeline.FromFunc(t.source), t.decode),
		Parallel:    t.producers,
		Partitioned: true, // no device has two producers
		User:        t.name,
		ClientID:    client,
	}
}

// source is what one producer reads from.
func (t *tenant) source(ctx context.Context) iter.Seq2[reading, error] {
	producer := int(t.started.Add(1))
	return func(yield func(reading, error) bool) {
		var due <-chan time.Time
		if t.every > 0 {
			ticker := time.NewTicker(t.every)
			defer ticker.Stop()
			due = ticker.C
		}
		for n := 0; next(ctx, due); n++ {
			if !yield(reading{device{t.name, producer, n % devices}, n}, nil) {
				return
			}
		}
	}
}

// next waits until a reading is due, and reports false when the run stops. What
// could not be sent in time is not sent later.
func next(ctx context.Context, due <-chan time.Time) bool {
	if due != nil {
		select {
		case <-due:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

// decode is the chain between the source and the cache. The time that it takes is
// charged to the tenant.
func (t *tenant) decode(in iter.Seq[reading]) iter.Seq[reading] {
	return operators.Map(in, func(r reading) reading {
		start := time.Now()
		time.Sleep(t.decoding) // stands for the work
		t.busy.Add(int64(time.Since(start)))
		return r
	})
}

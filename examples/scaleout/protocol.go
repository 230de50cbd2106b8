package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// Subjects of the requests between the program and its workers. All have an
// answer, which is empty or an error.

// sinkSubject takes a batch.
const sinkSubject = "sink"

// joinSubject is for a worker that is ready to say so.
func joinSubject(worker string) string { return "join." + worker }

// ownSubject tells a worker to own a partition, by a lease.
func ownSubject(worker string) string { return "own." + worker }

// releaseSubject tells a worker to drain a partition and let go of it. The answer
// comes when that is done.
func releaseSubject(worker string) string { return "release." + worker }

// lease is the ownership of a partition. Epoch is a new number each time.
type lease struct {
	Partition int
	Epoch     int
}

// batch is what a worker writes to the sink, for one partition.
type batch struct {
	Worker  string
	Epoch   int // of the lease
	Entries []entry

	// What the worker has got from the broker since its last batch.
	Received, Redelivered int
}

// entry is a processed quote.
type entry struct {
	Symbol  string
	Version uint64
	Price   int
	Again   bool // the message had been delivered before
	Mine    bool // and that may have been under this lease
}

// ask sends a request and waits for the answer.
func ask(conn *nats.Conn, subject string, v any, patience time.Duration) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	answer, err := conn.Request(subject, data, patience)
	if err != nil {
		return fmt.Errorf("%s: %w", subject, err)
	}
	if len(answer.Data) > 0 {
		return fmt.Errorf("%s: %s", subject, answer.Data)
	}
	return nil
}

// serve answers requests, one at a time.
func serve[T any](conn *nats.Conn, subject string, handle func(T) error) (*nats.Subscription, error) {
	sub, err := conn.Subscribe(subject, func(m *nats.Msg) { answer(m, handle) })
	if err != nil {
		return nil, err
	}
	return sub, sub.SetPendingLimits(-1, -1)
}

// serveAll answers requests, all at the same time.
func serveAll[T any](conn *nats.Conn, subject string, handle func(T) error) error {
	_, err := conn.Subscribe(subject, func(m *nats.Msg) { go answer(m, handle) })
	return err
}

// answer answers a request. An answer that is lost is a request that times out.
func answer[T any](m *nats.Msg, handle func(T) error) {
	var v T
	err := json.Unmarshal(m.Data, &v)
	if err == nil {
		err = handle(v)
	}
	var text []byte
	if err != nil {
		text = []byte(err.Error())
	}
	m.Respond(text)
}

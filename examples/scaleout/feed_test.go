package main

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

func TestFeedHaltsSymbols(t *testing.T) {
	f, err := newFeed(new(nats.Conn), options{keys: 100, duration: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	var before, after int
	for range 10_000 {
		if f.next(time.Second)%10 == 0 {
			before++
		}
		if f.next(time.Second+1)%10 == 0 {
			after++
		}
	}
	if before < 500 || after > 0 {
		t.Errorf("%d quotes of one symbol in ten, and %d when they are halted", before, after)
	}
}

package main

import (
	"fmt"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
)

// options are the flags.
type options struct {
	// The exchange.
	symbols  int
	rate     int
	trades   bool
	duration time.Duration
	seed     uint64
	via      string

	// The consumer.
	consume  time.Duration
	slowdown int
	capacity int
	workers  int

	// The pipeline.
	interval time.Duration
	base     int
	high     time.Duration
	limit    governor.Limit // nil for none
	priority bool
	maxAge   time.Duration

	http      string // address of the live page; empty for none
	calibrate bool
	json      bool
	verbose   bool
}

// Values of -via.
const (
	viaMemory    = "memory"
	viaWatermill = "watermill"
)

// Bounds that keep a slip of the pen from taking all the memory.
const (
	mostSymbols = 1_000_000
	mostRate    = 1_000_000_000
)

// cache configures what waits: the latest quote of each symbol.
func (o options) cache() cache.Options[string, Update] {
	c := cache.Options[string, Update]{MaxAge: o.maxAge, Expiry: cache.EmitNow}
	if o.priority {
		c.HeadStart = priority
	}
	return c
}

// governor configures the governor. Without a high there is none.
func (o options) governor(onDecision func(governor.Decision)) governor.Options {
	if o.high == 0 {
		return governor.Options{}
	}
	return governor.Options{High: o.high, Base: o.base, OnDecision: onDecision}
}

// validate checks what the pipeline would not.
func (o options) validate() error {
	switch {
	case o.symbols < 1 || o.symbols > mostSymbols:
		return fmt.Errorf("-symbols must be from 1 to %d, got %d", mostSymbols, o.symbols)
	case o.rate < 1 || o.rate > mostRate:
		return fmt.Errorf("-rate must be from 1 to %d quotes a second, got %d", mostRate, o.rate)
	case o.duration < 0:
		return fmt.Errorf("-duration must not be negative, got %v", o.duration)
	case o.duration == 0 && o.calibrate:
		return fmt.Errorf("-calibrate needs a -duration longer than 0")
	case o.via != viaMemory && o.via != viaWatermill:
		return fmt.Errorf("-via must be %s or %s, got %q", viaMemory, viaWatermill, o.via)
	case o.consume <= 0:
		return fmt.Errorf("-consume must be longer than 0, got %v", o.consume)
	case o.slowdown < 1:
		return fmt.Errorf("-slowdown must be at least 1, got %d", o.slowdown)
	case o.capacity < 0:
		return fmt.Errorf("-capacity must not be negative, got %d", o.capacity)
	case o.workers < 1:
		return fmt.Errorf("-workers must be at least 1, got %d", o.workers)
	case o.interval < 0:
		return fmt.Errorf("-interval must not be negative, got %v", o.interval)
	case o.base < 1:
		return fmt.Errorf("-base must be at least 1 beat, got %d", o.base)
	case o.high < 0:
		return fmt.Errorf("-high must not be negative, got %v", o.high)
	case o.high > 0 && o.interval == 0:
		return fmt.Errorf("-interval 0 sets no pace, which the governor needs: set -high 0 too")
	case o.maxAge < 0:
		return fmt.Errorf("-max-age must not be negative, got %v", o.maxAge)
	}
	return nil
}

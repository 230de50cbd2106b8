package sim

import (
	"time"

	"github.com/headrace/headrace/governor"
)

// pacer is what paces the consumer: a governor, or less.
type pacer interface {
	Beat(now time.Time, beats uint64, waiting int) int
	Start(now time.Time, r governor.Release) governor.Work
	Done(now time.Time, w governor.Work) int
}

// fixed passes every beat. The world beats at the period of its divisor.
type fixed struct{}

func (fixed) Beat(time.Time, uint64, int) int                     { return 1 }
func (fixed) Start(time.Time, governor.Release) (w governor.Work) { return w }
func (fixed) Done(time.Time, governor.Work) int                   { return 0 }

// free lets the workers take the next entry when one is done.
type free struct{ fixed }

func (free) Done(time.Time, governor.Work) int { return 1 }

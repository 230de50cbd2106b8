package pipeline

import (
	"context"
	"errors"
)

// Failure says what the failure of a producer's source leads to.
type Failure uint8

const (
	// StopAll stops the pipeline: it drains, and Run returns the error.
	StopAll Failure = iota
	// Restart starts the source again after a back-off, until the stop.
	Restart
	// CarryOn goes on without this source. The failure is logged and counted.
	CarryOn
)

// lateFailures returns the failures of producers after the stop began. That
// their context was cancelled is none.
func (r *run[K, V]) lateFailures() error {
	var errs []error
	for {
		select {
		case err := <-r.failures:
			if !errors.Is(err, context.Canceled) {
				errs = append(errs, err)
			}
		default:
			return errors.Join(errs...)
		}
	}
}

package pipeline

import (
	"context"
	"fmt"

	"github.com/headrace/headrace/cache"
)

// BatchHandler processes up to a number of entries at once, each of another
// key. If it returns nil all are done; if it returns BatchErrors each fares as
// it says; any other error, or a panic, is that of every entry. Otherwise it is
// as a Handler. It must not keep the slice.
type BatchHandler[K comparable, V any] func(ctx context.Context, entries []cache.Entry[K, V]) error

// BatchErrors is what a BatchHandler returns when only some entries failed: an
// error, or nil, for each entry in order.
type BatchErrors []error

func (e BatchErrors) Error() string {
	return fmt.Sprintf("%d of %d entries failed", len(e.Unwrap()), len(e))
}

// Unwrap returns the errors of the entries that failed.
func (e BatchErrors) Unwrap() []error {
	var errs []error
	for _, err := range e {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// batchError returns the error of a batch of n as one call: nil if no entry
// failed.
func batchError(err error, n int) error {
	each, ok := err.(BatchErrors)
	switch {
	case !ok:
		return err
	case len(each) != n:
		return fmt.Errorf("pipeline: BatchErrors of %d entries for a batch of %d", len(each), n)
	case len(each.Unwrap()) == 0:
		return nil
	}
	return err
}

// entryError returns the error of an entry, of the error of its batch.
func entryError(err error, i int) error {
	if each, ok := err.(BatchErrors); ok {
		return each[i]
	}
	return err
}

func (h BatchHandler[K, V]) call(ctx context.Context, entries []cache.Entry[K, V]) (err error) {
	defer recovered(&err)
	return h(ctx, entries)
}

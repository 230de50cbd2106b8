package pipeline

import (
	"context"
	"time"
)

// Intermittent lets a producer let go of its input and take it up again, at
// intervals or by how many entries wait. The input really is closed: the range
// over the source ends, with its context, and begins anew: behind a delivery and all
// that a chain makes of it. What a broker sends meanwhile is its affair.
//
// ProducerStats.Connected tells whether the input is open.
type Intermittent struct {
	// On and Off are how long the input is open and closed, in turn. Both are
	// set, or none.
	On, Off time.Duration

	// Above closes the input when more entries wait, and Below opens it when
	// so many or fewer do, which is looked at every 10 ms. Above must be more
	// than Below. Default 0 and 0: the number does not count.
	Above, Below int
}

// look is how often a closed producer looks at the entries that wait. It does
// so only while they are many.
const look = 10 * time.Millisecond

func (o Intermittent) validate(fail func(string, ...any) error) error {
	switch {
	case o.On < 0 || o.Off < 0 || (o.On == 0) != (o.Off == 0):
		return fail("Intermittent: On and Off must both be positive or both be 0, got %v and %v", o.On, o.Off)
	case o.Below < 0 || o.Above < 0 || o.Above > 0 && o.Above <= o.Below:
		return fail("Intermittent: Above must be more than Below, and neither negative, got %d and %d", o.Above, o.Below)
	case o.Above == 0 && o.Below > 0:
		return fail("Intermittent: Below needs Above, which is 0")
	}
	return nil
}

// connection returns the context of one connection. When its time is over it
// ends before the inputs do, so that a source that looks at these and ends is
// not taken for one that has no more to give.
func (r *run[K, V]) connection(o *Intermittent) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(r.sources)
	inputs, cancelInputs := context.WithCancel(r.inputs)
	letGo := func() { cancel(); cancelInputs() }
	ctx = context.WithValue(ctx, inputsKey{}, inputs)
	if o.On == 0 {
		return ctx, letGo
	}
	timer := time.AfterFunc(o.On, letGo)
	return ctx, func() { timer.Stop(); letGo() }
}

// overTime reports whether a connection has ended because its time was over.
func (r *run[K, V]) overTime(ctx context.Context) bool {
	return ctx.Err() != nil && r.sources.Err() == nil
}

// above reports whether it is time to close the input for what waits.
func (r *run[K, V]) above(o *Intermittent) bool {
	return o.Above > 0 && r.cache.Len() > o.Above
}

// pause waits until the input may be opened again, and reports false when the
// run stops first.
func (r *run[K, V]) pause(o *Intermittent) bool {
	if o.Off > 0 && !r.sleep(o.Off) {
		return false
	}
	for o.Above > 0 && r.cache.Len() > o.Below {
		if !r.sleep(look) {
			return false
		}
	}
	return true
}

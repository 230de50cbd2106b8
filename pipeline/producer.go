package pipeline

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Producer is a producer region: a source that feeds the cache from a
// goroutine of its own.
type Producer[V any] struct {
	// Name stands in logs, errors and statistics. Default "producer-" and
	// the number of the producer, from 1.
	Name string

	// Source must be set.
	Source Source[V]

	// Acknowledge says when a delivery is acknowledged. Default AckOnAdmit.
	Acknowledge Acknowledge

	// Window is how many deliveries the Source hands out before it waits for
	// an acknowledgement: 1 for most Watermill subscribers. Default 0: unknown.
	Window int

	// HoldLimit is how long a delivery may be unacknowledged until the source
	// delivers it again. With AckOnDone Run warns if values can wait longer;
	// Cache.MaxAge bounds that. Default 0: no limit.
	HoldLimit time.Duration

	// Parallel is the number of goroutines that each run the Source. They
	// reorder what they read, so more than one needs Cache.Newer, or
	// Partitioned. Default 1.
	Parallel int

	// Partitioned declares that no two of the Parallel sources yield values
	// of the same key, as the members of a consumer group do.
	Partitioned bool

	// OnFailure says what the error or panic of a source leads to.
	// Default StopAll.
	OnFailure Failure

	// RestartBackoff is the time until a failed source is started again, with
	// Restart. A random part of up to half is taken off, so that sources that
	// failed together do not come back together. It starts again with First
	// after a source has delivered something.
	RestartBackoff Backoff

	// Intermittent lets go of the input and takes it up again. The zero value
	// holds on to it.
	Intermittent Intermittent

	// User and ClientID are who the producer works for: Config.Quotas charges
	// them. Default: nobody, which matches default quotas only.
	User, ClientID string

	// OnInvalid gets each error that wraps ErrInvalid. It runs on the
	// producer's goroutine. Nil counts and logs them only.
	OnInvalid func(err error)
}

// producer is a producer region at work. Its instances share the counters.
type producer[V any] struct {
	Producer[V]
	instances []*instance[V]

	received, admitted, rejected, invalid atomic.Uint64
	failures, restarts                    atomic.Uint64
	connected                             atomic.Int64 // sources that are open now
}

// instance is one goroutine of a producer region.
type instance[V any] struct {
	*producer[V]
	busy    atomic.Bool   // between looking at run.stopping and the end of the admission
	holds   bool          // busy, as its goroutine knows
	ending  atomic.Int32  // sources and chains that a stop gives a moment to end
	settled chan struct{} // gets a token when one of these is over while the run stops

	attended  atomic.Bool // its goroutine has started
	delivered bool        // the source that is open has delivered something
	meter     *meter      // nil without quotas
}

func newProducer[V any](p Producer[V], number int) *producer[V] {
	if p.Name == "" {
		p.Name = fmt.Sprintf("producer-%d", number)
	}
	setDefault(&p.Parallel, 1)
	p.RestartBackoff.setDefaults()
	all := &producer[V]{Producer: p}
	for range min(p.Parallel, most) { // more is an error of Run
		all.instances = append(all.instances, &instance[V]{producer: all, settled: make(chan struct{}, 1)})
	}
	return all
}

// validate checks what Run can know only.
func (p *producer[V]) validate(newer bool) error {
	fail := func(format string, args ...any) error {
		return invalid("producer %q: %s", p.Name, fmt.Sprintf(format, args...))
	}
	switch {
	case p.Source == nil:
		return fail("Source must be set")
	case p.Parallel < 1 || p.Parallel > most:
		return fail("Parallel must be from 1 to %d, got %d", most, p.Parallel)
	case p.Parallel > 1 && !newer && !p.Partitioned:
		return fail("Parallel sources reorder values: set Cache.Newer to tell which is newer, or Partitioned if they never share a key")
	case p.OnFailure > CarryOn:
		return fail("OnFailure must be StopAll, Restart or CarryOn, got %d", p.OnFailure)
	case p.RestartBackoff.First < 0 || p.RestartBackoff.Max < p.RestartBackoff.First:
		return fail("RestartBackoff must not be negative, nor Max below First, got %v and %v", p.RestartBackoff.First, p.RestartBackoff.Max)
	}
	if err := p.Intermittent.validate(fail); err != nil {
		return err
	}
	return p.checkAcknowledge(fail)
}

// begin marks a delivery as in hand, and reports whether the run goes on. It stores
// and then loads, while the run stores stopping and then loads busy: at least one of
// them sees the other, so no value is admitted behind the run's back.
func (i *instance[V]) begin(stopping *atomic.Bool) bool {
	if !i.holds {
		i.holds = true
		i.busy.Store(true)
	}
	return !stopping.Load()
}

// end lets go of what is in hand, if something is.
func (i *instance[V]) end(stopping *atomic.Bool) {
	if i.holds {
		i.holds = false
		i.busy.Store(false)
		i.tell(stopping)
	}
}

// disconnect lets go of the source too.
func (i *instance[V]) disconnect(stopping *atomic.Bool) {
	i.ending.Store(0)
	i.end(stopping)
	i.tell(stopping)
}

// tell wakes a stop that waits for the instance.
func (i *instance[V]) tell(stopping *atomic.Bool) {
	if stopping.Load() {
		select {
		case i.settled <- struct{}{}:
		default:
		}
	}
}

// name is how logs and errors name an instance.
func (i *instance[V]) name(number int) string {
	if i.Parallel == 1 {
		return fmt.Sprintf("producer %q", i.Name)
	}
	return fmt.Sprintf("producer %q, instance %d", i.Name, number)
}

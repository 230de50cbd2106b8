package governor

import (
	"context"
	"sync"
	"time"
)

// LimiterOptions configure a Limiter. The zero value works.
type LimiterOptions struct {
	// Limit says how many permits there are. Nil means a Windowed Gradient2
	// with the defaults of both. A Gradient2 alone is updated by each sample.
	Limit Limit
	// Ceiling, if positive, bounds the limit whatever Limit says, as do the
	// workers of a pipeline: a limit above it would stay app-limited for ever.
	Ceiling int
	// Errors says what work that returned an error counts as. It is not asked
	// about timeouts, which count as Dropped. Nil means Ignored.
	Errors func(error) Outcome
	// OnLimit, if set, receives each change of the limit, in order and one at a
	// time. It runs outside the lock, on the goroutine of whichever call made a
	// change while no other was being reported, and may call the Limiter. It
	// must not block: changes wait in memory meanwhile. Its panic reaches that
	// call; changes being reported with it are skipped.
	OnLimit func(from, to int)
}

// Limiter hands out permits, as many at once as its Limit says, and tells the
// Limit how the work went. It never hands out more: the permits are counted
// and taken in one step. A limit that falls takes none away; nobody gets one
// until enough have been given back.
//
// Waiters are served first come, first served, as soon as a permit is given
// back or the limit grows. Nobody overtakes them.
//
// It is for one kind of work. There are no partitions: give each kind a Limiter
// of its own.
//
// It is safe for concurrent use and starts no goroutine. TryAcquire and Success
// together cost about 80 ns, most of it two readings of the clock, and allocate
// nothing. With a wait for the permit it is about 700 ns.
type Limiter struct {
	epoch  time.Time
	errors func(error) Outcome

	mu        sync.Mutex
	algorithm Algorithm
	limit     int
	held      int // permits out
	inFlight  int // of them started
	ended     [Dropped + 1]uint64
	free      *slot
	waiters   waiters
	changes   reporter

	used sync.Pool // of waiters
}

// NewLimiter returns a Limiter. Errors wrap ErrOptions and name the field.
func NewLimiter(o LimiterOptions) (*Limiter, error) {
	if o.Limit == nil {
		o.Limit = &Windowed{}
	}
	if o.Ceiling < 0 {
		return nil, invalid("Ceiling must not be negative, got %d", o.Ceiling)
	}
	algorithm, err := o.Limit.Start(o.Ceiling)
	if err != nil {
		return nil, err
	}
	l := &Limiter{epoch: time.Now(), errors: o.Errors, algorithm: algorithm}
	l.limit = l.enforced(algorithm.Limit())
	if o.OnLimit != nil {
		l.changes.callback = func(d Decision) { o.OnLimit(d.From, d.To) }
	}
	return l, nil
}

// TryAcquire takes a permit and starts its clock, or reports that there is
// none. The work is in flight from here.
func (l *Limiter) TryAcquire() (Token, bool) {
	l.mu.Lock()
	// With waiters there is no free permit, so that nobody is overtaken.
	if l.held >= l.limit {
		l.mu.Unlock()
		return Token{}, false
	}
	t := l.grant(true)
	l.mu.Unlock()
	t.slot.start = l.now()
	return t, true
}

// Acquire takes a permit and starts its clock, as soon as there is one. The
// work is in flight from here; the wait is not part of its RTT.
//
// Waits while the permits are out or others wait. Returns the error of ctx, and
// no permit, if ctx ends first or had ended before.
func (l *Limiter) Acquire(ctx context.Context) (Token, error) {
	t, err := l.take(ctx, true)
	if err == nil {
		t.slot.start = l.now()
	}
	return t, err
}

// Reserve takes a permit as Acquire does, but for work that has yet to come:
// it is not in flight, and no clock runs, until Token.Start. So workers that
// hold a permit while they have nothing to do do not make the limit look used.
// A reservation that is not needed is given back with Token.Ignore.
func (l *Limiter) Reserve(ctx context.Context) (Token, error) {
	return l.take(ctx, false)
}

// Do acquires a permit, calls f, and ends the permit by what f returned: see
// Outcome. A panic in f counts as Dropped and goes on.
//
// Returns the error of f, or of ctx if no permit came before ctx ended.
func (l *Limiter) Do(ctx context.Context, f func(context.Context) error) error {
	t, err := l.Acquire(ctx)
	if err != nil {
		return err
	}
	outcome := Dropped // unless f returns
	defer func() { t.end(l.now(), outcome) }()
	err = f(ctx)
	outcome = l.Outcome(err)
	return err
}

// now is the time on the clock of the samples. It costs half a time.Now.
func (l *Limiter) now() time.Duration { return time.Since(l.epoch) }

// enforced makes sure that something can always be tried.
func (l *Limiter) enforced(limit int) int { return max(1, limit) }

// observe tells the algorithm and takes its limit over.
func (l *Limiter) observe(s Sample) {
	limit := l.enforced(l.algorithm.Observe(s))
	if limit != l.limit {
		l.changes.add(Decision{From: l.limit, To: limit})
		l.limit = limit
	}
}

// unlock also reports what has changed. The usual case is nothing.
func (l *Limiter) unlock() {
	if len(l.changes.pending) == 0 {
		l.mu.Unlock()
		return
	}
	l.changes.unlock(&l.mu)
}

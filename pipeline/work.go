package pipeline

import (
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/headrace/headrace/governor/quota"
)

// work is the goroutine of a worker: it takes an entry as late as possible, at
// the moment when it is free and the pace and the limit allow it.
func (r *run[K, V]) work() {
	var q *quota.Gate
	if r.config.Quotas != nil {
		q = r.config.Quotas.Consumer(quota.Identity{User: r.config.User, ClientID: r.config.ClientID})
		defer q.Close()
	}
	switch {
	case r.consumer.batch != nil:
		r.workInBatches(q)
	case r.consumer.async != nil:
		r.workAsynchronously(q)
	default:
		r.workOneByOne(q)
	}
}

func (r *run[K, V]) workOneByOne(q *quota.Gate) {
	var j job[K, V]
	for r.next(q, &j) == nil {
		r.process(&j, q)
		j = job[K, V]{}
	}
}

// process runs the handler. Should that end the goroutine, the crew starts
// another one in its place.
func (r *run[K, V]) process(j *job[K, V], q *quota.Gate) {
	err := errExited
	defer func() {
		if v := recover(); v != nil {
			err = newPanicError(v)
		}
		r.finish(j, err, time.Now())
	}()
	r.charge(q, j.entry())
	err = r.consumer.handler(r.handlers, *j.entry())
}

// next waits for the quota, a permit of the limiter, a release and an entry. A
// drain does not wait for the quota.
func (r *run[K, V]) next(q *quota.Gate, j *job[K, V]) (err error) {
	if j.permit, err = r.permit(q); err != nil {
		return err
	}
	taken := false
	defer func() {
		if !taken {
			j.permit.Ignore()
		}
	}()
	if err = r.take(j); err != nil {
		return err
	}
	taken = true
	r.begin(j)
	return nil
}

// permit waits for the quota and for a permit of the limiter.
func (r *run[K, V]) permit(q *quota.Gate) (permit governor.Token, err error) {
	if q != nil {
		_ = q.Wait(r.inputs)
	}
	if r.limiter != nil {
		permit, err = r.limiter.Reserve(r.takes)
	}
	return permit, err
}

// take waits for a release and an entry.
func (r *run[K, V]) take(j *job[K, V]) (err error) {
	e := j.entry()
	for {
		way, err := r.gate.wait(r.takes, &j.release)
		if err != nil {
			return err
		}
		var ok bool
		switch way {
		case open:
			if _, err = r.cache.TakeBatch(r.takes, j.entries[:]); err != nil {
				return err
			}
			ok = true
		case paced:
			// None: the entry that the release was meant for has been dropped.
			*e, ok = r.cache.TryTake()
		case overdue:
			if *e, ok = r.cache.TryTakeOverdue(); ok {
				r.meters.overdue.Add(1)
				r.gate.addOverdue() // there may be more
			}
		}
		if ok && !r.revoked(e) {
			return nil
		}
	}
}

// revoked drops an entry that its source has taken back. Should a receipt end the
// goroutine when it is asked, the entry has failed.
func (r *run[K, V]) revoked(e *cache.Entry[K, V]) bool {
	asked := false
	defer func() {
		if !asked {
			r.fail(*e, errExited)
		}
	}()
	revoked := e.Revoked()
	asked = true
	if revoked {
		r.cache.Revoke(*e)
		*e = cache.Entry[K, V]{}
	}
	return revoked
}

// charge charges the consumer for the bytes that it took.
func (r *run[K, V]) charge(q *quota.Gate, e *cache.Entry[K, V]) {
	if q != nil && r.config.Bytes != nil {
		r.log.call("Bytes", func() { q.Charge(e.Taken, 0, r.config.Bytes(e.Value)) })
	}
}

package quota

import (
	"sync"
	"sync/atomic"
	"time"
)

// Quotas holds the configuration and what every entity has used. All its
// methods may be called from any goroutine.
type Quotas struct {
	options Options
	epoch   time.Time // all times inside are since this
	rules   atomic.Pointer[rules]
	closed  chan struct{}
	exempt  exempt

	// Before mu: a change reads and writes files under it.
	configuring sync.Mutex
	documents   map[string]*loaded // what the last scan of Dir found

	// Before the lock of any account.
	mu        sync.Mutex
	over      bool // Close was called
	producers int  // open producer gates
	accounts  [kinds]map[Entity]*account
	others    [kinds]*account // for what MaxEntities leaves no room; nil until needed
	leftOut   [kinds]bool     // there were some without a quota, and no room
}

// New returns quotas with the documents of Options.Dir. It fails if the options
// are invalid, or if the directory or one of its documents cannot be used: there
// is no older document to keep.
func New(o Options) (*Quotas, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	q := &Quotas{options: o, epoch: time.Now(), closed: make(chan struct{})}
	for k := range q.accounts {
		q.accounts[k] = map[Entity]*account{}
	}
	q.rules.Store(newRules(0, map[Entity]Limits{}, max(o.Producers, 1)))
	if o.Dir == "" {
		return q, nil
	}
	if err := q.Reload(); err != nil {
		return nil, err
	}
	return q, nil
}

// Producer returns the gate of one goroutine that produces for id. It counts as
// one of the N producers until it is closed.
func (q *Quotas) Producer(id Identity) *Gate {
	q.join(+1)
	return newGate(q, id, true)
}

// Consumer returns the gate of one goroutine that consumes for id. Only bytes
// are charged to it.
func (q *Quotas) Consumer(id Identity) *Gate { return newGate(q, id, false) }

// Close releases all waiters with ErrClosed and forgets all entities. Charges
// after it do nothing. Calling it again does nothing.
func (q *Quotas) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over {
		return
	}
	q.over = true
	close(q.closed)
	q.publish(map[Entity]Limits{})
	for k := range kinds {
		for _, a := range q.accounts[k] {
			q.drop(a)
		}
		q.others[k] = nil
	}
}

// join changes the number of producers. It never is 0: a charge that comes
// after the last gate was closed still has a limit.
func (q *Quotas) join(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.producers += n
	if q.options.Producers == 0 {
		q.rules.Store(q.rules.Load().withProducers(max(q.producers, 1)))
	}
}

// publish puts a table in force. mu is held.
func (q *Quotas) publish(table map[Entity]Limits) {
	old := q.rules.Load()
	q.rules.Store(newRules(old.sequence+1, table, old.producers))
}

// since is a time as the accounts see it.
func (q *Quotas) since(now time.Time) time.Duration { return now.Sub(q.epoch) }

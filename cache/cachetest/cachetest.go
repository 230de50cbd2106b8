package cachetest

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
)

// Cache is the set of methods of a *cache.Cache[string, string].
type Cache interface {
	Put(key, value string) error
	PutAt(key, value string, at time.Time) error
	PutWait(ctx context.Context, key, value string) error
	Delete(key, value string) error
	Append(key, value string) error
	Admit(a Arrival) error
	AdmitWait(ctx context.Context, a Arrival) (waited time.Duration, err error)
	AdmitBatch(ctx context.Context, arrivals []Arrival) (admitted int, waited time.Duration, err error)

	Take(ctx context.Context) (Entry, error)
	TakeBatch(ctx context.Context, entries []Entry) (int, error)
	TryTake() (Entry, bool)
	TryTakeBatch(at time.Time, entries []Entry) int
	TryTakeOverdue() (Entry, bool)
	Wait(ctx context.Context) error
	Eligible() int
	Overdue() bool

	Done(entries ...Entry)
	Return(e Entry, backoff time.Duration) bool
	GiveUp(e Entry) bool
	Revoke(e Entry) bool
	NackWaiting()

	Get(key string) (string, bool)
	Len() int
	All() iter.Seq[Entry]
	OldestAge() time.Duration
	OldestLease() time.Duration
	Ledger() cache.Ledger
	Close()
}

// The types of the cache under test.
type (
	Entry   = cache.Entry[string, string]
	Arrival = cache.Arrival[string, string]
	Options = cache.Options[string, string]
)

// reporter is the part of a *testing.T that the cases use.
type reporter interface {
	Errorf(format string, args ...any)
}

// Run fails t unless the caches that newCache makes behave as those of
// cache.New do: in known cases, each a subtest, and in random sequences of all
// operations under random options, which it also plays to a cache of package
// cache. It holds a cache to its order, leases, merges, bounds, ages, drops,
// receipts and ledger, and to who waits for how long. Each case runs in a synctest bubble of
// its own, so that times are exact; goroutines that a cache starts must end
// when it is closed and empty. It takes about a second.
func Run(t *testing.T, newCache func(o Options) (Cache, error)) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { c.run(t, newCache) })
		})
	}
	t.Run("random", func(t *testing.T) {
		for seed := range uint64(runs) {
			synctest.Test(t, func(t *testing.T) { random(t, newCache, seed) })
			if t.Failed() {
				return
			}
		}
	})
}

// runs is the number of random sequences, which finds what the package's own
// tests break.
const runs = 100

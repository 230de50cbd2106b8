// Package quota keeps one greedy source from taking the time of all producers,
// and sources and consumers to a rate in bytes.
//
// A quota is set for an [Entity]: a user, a client-id, or a user's client-id. Work
// is done for an [Identity], whose quota is found by the rules below. A goroutine
// that works for an identity has a [Gate]. It calls [Gate.Wait] before it takes the
// next piece of work and [Gate.Charge] after it, with the time it was busy and the
// bytes. Work is never refused or dropped, and nothing is in hand during a wait.
//
// # What a quota is
//
// There are three keys, each found and measured on its own:
//
//	request_time_percent  percent of the time of all producers, above 0, up to 100
//	producer_byte_rate    bytes per second that producers take in
//	consumer_byte_rate    bytes per second that consumers take
//
// The budget of a percentage p, with N workers and a window W, is p/100 * N * W. The
// workers are the producer goroutines: N is the number of producer gates that are
// open. When it changes, budgets change, and what was used stays. [Budget] prints
//
//	1 % of 8 workers = 80ms per 1s
//	12.5 % of 8 workers = 1s per 1s
//	100 % of 8 workers = 8s per 1s
//
// The second is one goroutine's time, and the last no limit in effect. (Kafka counts
// percents of one thread: its 1 is 10ms per 1s on any machine.)
//
// # Who has which quota
//
// The first level that has the key applies, and no other. Nothing is combined: a
// user's quota is no bound on a client that has its own.
//
//	level  set for                            shared by
//	1      users/alice/clients/app            that client of that user
//	2      users/alice/clients/<default>      each client of alice by itself
//	3      users/alice                        all clients of alice together
//	4      users/<default>/clients/app        app, for each user by itself
//	5      users/<default>/clients/<default>  each client of each user by itself
//	6      users/<default>                    all clients of a user together
//	7      clients/app                        app, for all users together
//	8      clients/<default>                  each client-id, for all users together
//
// An empty client-id has no name, so only defaults apply to it (2, 3, 5, 6, 8). An
// empty user is ANONYMOUS. Budgets go with those who share them, not with the level:
// a move from level 1 to 2 keeps what was used, one from 3 to 1 starts afresh. What
// has no quota is measured for each client-id of each user by itself, where Kafka
// sums it up by client-id.
//
// # How it is measured, and what a delay is
//
// The rate O is the sum over a window, divided by the time since its first record
// and at least by W. Above the limit T, a charge is answered with the delay that
// brings O down to T:
//
//	X = (O - T) / T * W_eff, at most W
//
// 120 ms under 80ms per 1s: O is 1.5 T, so X is 500 ms. With Samples 11 W_eff is 10 s
// to 12 s, as in Kafka: smoother, and an idle entity may use 800 ms at once.
// With both quotas the delay for bytes comes first; the time is recorded at its end,
// and what is left is added (KIP-124).
//
// # Who waits, and how long
//
// The mute deadline belongs to the entity, so all of its sources wait. One is let
// through when the deadline has passed, O is within T, and nothing is owed. While
// an entity is muted, one source at a time comes through, in turn. A turn lapses
// after a window, since a source may have nothing to deliver; behind a handler that
// takes longer the next source comes through beside it. When there is room again,
// those that stand in line still come one after the other, at a charge or after a
// twentieth of a window: all at once, they would wait for each other in whatever
// they share, and be charged for it.
//
// What is owed is kept apart from the window, in a token bucket of one window's worth
// (Samples windows'). A window forgets: with 80 ms handlers under 80ms per 1s, a source
// could use two budgets, sit out one window, and be at 1.7 times its quota, or 8 times
// with 2 s handlers. So a wait can be longer than the delay that was told. It
// is done in steps of at most a window, and its sum is what was used, divided by the
// quota, less what the bucket holds. A message that takes ten budgets passes, and is
// followed by a wait of nine windows.
//
// A quota applies to what has been charged: sources that are at work when the entity
// is muted finish, up to one delivery each, and that is paid off too.
//
// # Long-run share
//
// Sources that always have something, in virtual time, 8 producers, 1 % (8 % of one
// goroutine's time), 10 minutes and more for long handlers. Reproduce it with
//
//	go test -run LongRunShare -v ./governor/quota
//
//	handler  sources  share of quota  longest wait  with 11 samples  longest wait
//	    1ms        1           0.999         930ms            1.000        10.01s
//	   16ms        1           1.001            1s            0.999        10.14s
//	   80ms        1           1.001            1s            0.994         10.2s
//	  100ms        1           1.002         1.15s            1.000        10.45s
//	  500ms        1           1.006         5.75s            1.011           11s
//	 2000ms        1           0.970           24s            1.010           23s
//	    1ms        8           1.000         1.02s            1.000        10.11s
//	   16ms        8           1.002         2.98s            1.020        11.14s
//	   80ms        8           1.001        14.92s            1.013        23.84s
//	  100ms        8           1.002        17.75s            1.009        22.35s
//	  500ms        8           1.006      1m32.75s            1.011       1m28.5s
//	 2000ms        8           1.000         3m20s            1.010          6m4s
//
// The share does not depend on the handler or the number of sources. What grows is
// the wait: eight sources with 2 s handlers begin together, use 16 s, and pay that
// off for 3 min 20 s. Shares differ from 1 by the first budget and by where the run
// ends, in a delivery or in a wait; a longer run makes that smaller.
//
// # Configuration
//
// Quotas are changed while they are in force with [Quotas.Alter], [Quotas.Remove]
// and [Quotas.Load], and through documents in a directory (see [Dir]) that
// [Quotas.Watch] reads again within a second of a change. The command headrace-quotas
// edits such a directory. A change is made whole or not at all, and errors name
// path, key and value. A lower limit bites with the next charge. A source that waits
// is let go within a window if its quota is removed; a higher limit does not shorten
// the delay that was told.
//
// # Limits
//
// Without a quota for a key nothing is measured for it. With one, every entity is
// measured, those without a limit too, at about 0.55 kB each; see Options.Expiry and
// Options.MaxEntities. An entity whose quota was removed is remembered as long, with
// what it owes, and no longer shown. A new entity begins with a full budget, so random client-ids
// get past quotas of each client-id; a quota of the user (3, 6) does not care.
// Quotas live in one process; nothing is kept over a restart but the configuration.
//
// The package example lets a source run against its quota.
package quota

// Package governor paces a consumer by its latency, and limits what it has in
// flight. The two can be used together or alone.
//
// A metronome beats faster than entries are wanted, and a [Governor] lets one
// of every d beats pass. The divisor d starts at Options.Base and moves by one
// at a time: up while the consumer is slow because entries queue, down when it
// has room, and quickly down while it has nothing to do.
//
// The latency that steers runs from the release of an entry to the end of its
// processing. It holds the wait for a free worker and the consumer's own queue,
// but never the time in the cache. Slowing down lengthens that time, which
// would slow down further (see Steering by age below).
//
// A pulling consumer takes an entry when one of its workers is free; its
// divisor settles where the workers are just busy. An asynchronous consumer
// takes whatever it is given, so that its own queue would grow during the climb.
// It has a brake: while the Parallel-th oldest entry in flight is older than
// Options.Brake, passes wait, and at most one is owed.
//
// With Options.MaxReads there are gears above the normal one: at Base, while
// latency is low and entries wait, a pass reads more of them, one more at a
// time. Above High these reads go first, one at a time, and then the divisor
// rises. With Options.Eager an idle consumer takes an arrival at once, if it has
// read nothing for a period. [Calibrate] proposes High and the interval from the
// latencies of an unstressed run.
//
// A Governor reads no clock and starts no goroutine. The caller reports beats
// ([Governor.Beat], [Governor.Sleep]), arrivals ([Governor.Eager]) and leases
// ([Governor.Start], [Governor.Done]) with the time of each. Beat costs about
// 20 ns, Start and Done together about 130 ns without allocation, or about
// 210 ns with one of 64 bytes for an asynchronous consumer.
//
// # Simulation
//
// The package's tests drive this same code through simulated time:
//
//	go test -run Simulation -v ./governor
//
// The metronome beats each millisecond and Base is 10, so that 100 entries a
// second are wanted. Load is the share of the consumer's capacity that this
// takes while it is well. From 5 s to 25 s each entry takes six times as long;
// rates and latencies are those of these 20 s. The number after the consumer's
// kind is Parallel, or the number of workers. Entries always wait, or arrive as
// a Poisson stream of 90 a second over 1000 keys. Numbers are of one seed.
//
// Asynchronous consumers, with High at 10 unstressed services. The best fixed
// divisor is the one of the highest rate at no higher p99, on the same random
// numbers; "none" means that none reaches that p99. Base after is the time from
// the recovery of the consumer to the normal pace.
//
//	consumer    service        entries  load    rate    best fixed      p99  Base after
//	fifo     1  deterministic  always   0.70   23.8/s   23.8/s at 42  1.97 High  0.08 s
//	fifo     1  exponential    always   0.70   24.4/s   17.9/s at 56  4.81 High  0.05 s
//	fifo     1  bimodal        always   0.70   22.2/s   15.4/s at 64  6.81 High  0.02 s
//	fifo     4  deterministic  always   0.70   23.8/s   23.6/s at 41  2.40 High  1.24 s
//	fifo     4  exponential    always   0.70   24.6/s   23.7/s at 41  3.70 High  0.30 s
//	fifo     4  bimodal        always   0.70   22.3/s   19.4/s at 50  4.97 High  0.23 s
//	sharing  1  deterministic  always   0.70   23.8/s   23.8/s at 42  2.07 High  0.08 s
//	sharing  1  exponential    always   0.70   24.4/s   14.1/s at 71  5.05 High  0.03 s
//	sharing  1  bimodal        always   0.70   22.2/s     none       6.76 High  0.05 s
//	sharing  4  deterministic  always   0.70   23.2/s   23.6/s at 42  2.29 High  0.48 s
//	sharing  4  exponential    always   0.70   24.6/s   23.0/s at 43  5.65 High  0.00 s
//	sharing  4  bimodal        always   0.70   22.4/s   18.9/s at 52  6.03 High  0.23 s
//	fifo     1  deterministic  poisson  0.70   23.8/s   23.8/s at 42  1.97 High  0.09 s
//	fifo     1  exponential    poisson  0.70   24.4/s   17.9/s at 56  4.82 High  0.05 s
//	fifo     4  deterministic  poisson  0.70   23.6/s   23.6/s at 41  2.39 High  1.25 s
//	fifo     4  exponential    poisson  0.70   24.5/s   23.8/s at 40  4.05 High  0.21 s
//	sharing  1  deterministic  poisson  0.70   23.8/s   23.8/s at 42  2.55 High  0.08 s
//	sharing  1  exponential    poisson  0.70   24.4/s   13.7/s at 73  4.92 High  0.03 s
//	sharing  4  deterministic  poisson  0.70   23.2/s   23.6/s at 42  2.03 High  0.46 s
//	sharing  4  exponential    poisson  0.70   24.6/s   23.0/s at 43  5.75 High  0.00 s
//	fifo     1  deterministic  always   0.35   47.6/s   47.6/s at 21  1.17 High  0.03 s
//	fifo     1  exponential    always   0.35   47.5/s   30.2/s at 33  3.99 High  0.00 s
//	fifo     1  bimodal        always   0.35   44.5/s   31.2/s at 32  6.41 High  0.00 s
//	fifo     4  deterministic  always   0.20   82.2/s   83.2/s at 12  1.07 High  0.01 s
//	sharing  4  deterministic  always   0.20   81.5/s   83.2/s at 12  1.07 High  0.00 s
//	fifo     4  deterministic  always   0.35   47.4/s   47.5/s at 21  1.26 High  0.24 s
//	sharing  4  deterministic  always   0.35   46.4/s   47.5/s at 21  1.13 High  0.02 s
//	fifo     4  deterministic  always   0.50   33.2/s   33.1/s at 30  1.78 High  0.62 s
//	sharing  4  deterministic  always   0.50   32.3/s   33.1/s at 30  1.69 High  0.12 s
//
// Pulling consumers, with High at 4 unstressed services. Free is the rate of
// the same workers without a pace. The divisor is that of the last 10 slow
// seconds; ideal keeps the workers just busy.
//
//	consumer    service        entries  load    rate   free      divisor  ideal  Base after
//	pulling  1  deterministic  always   0.70  23.6/s  23.8/s  41..44   42     0.11 s
//	pulling  1  exponential    always   0.70  23.9/s  24.6/s  10..19   42     0.01 s
//	pulling  1  bimodal        always   0.70  22.2/s  22.2/s  20..26   42     0.07 s
//	pulling  4  deterministic  always   0.70  23.6/s  23.8/s  41..44   42     1.33 s
//	pulling  4  exponential    always   0.70  23.9/s  24.6/s  20..24   42     0.37 s
//	pulling  4  bimodal        always   0.70  21.1/s  22.3/s  32..38   42     0.42 s
//	pulling  1  deterministic  always   0.35  47.1/s  47.6/s  20..23   21     0.04 s
//	pulling  1  exponential    always   0.35  46.2/s  49.0/s  10..15   21     0.00 s
//	pulling  1  bimodal        always   0.35  44.0/s  44.5/s  10..15   21     0.01 s
//	pulling  4  deterministic  always   0.35  46.7/s  47.6/s  20..23   21     0.24 s
//	pulling  4  exponential    always   0.35  46.5/s  49.0/s  10..17   21     0.06 s
//	pulling  4  bimodal        always   0.35  42.9/s  44.4/s  11..22   21     0.07 s
//
// A consumer that stands still for 5 s is handed few entries meanwhile:
//
//	consumer    service        entries  load  handed out in a 5 s stall
//	fifo     1  exponential    always   0.70    7
//	fifo     4  exponential    always   0.70   16
//	sharing  1  exponential    always   0.70    6
//	sharing  4  exponential    always   0.70   16
//	fifo     1  exponential    always   0.35    5
//	fifo     4  exponential    always   0.35   13
//	sharing  1  exponential    always   0.35    5
//	sharing  4  exponential    always   0.35   13
//	fifo     1  exponential    always   0.10    5
//	fifo     4  exponential    always   0.10    9
//	sharing  1  exponential    always   0.10    5
//	sharing  4  exponential    always   0.10    9
//
// A lease that never ends brakes for about 30 High if Parallel is 1, which is
// 2.1 s here, however long the run:
//
//	consumer    service        entries  load  cost of a lost lease in 60 s
//	fifo     1  exponential    always   0.70    3.5 %
//	fifo     4  exponential    always   0.70    0.0 %
//	sharing  1  exponential    always   0.70    3.5 %
//	sharing  4  exponential    always   0.70    0.0 %
//
// Extra reads, with MaxReads 8, or 4 for the 4 pulling workers, and a hundred
// keys that always wait. Well is before the consumer gets slow; without extra
// reads the rate is 100/s then. Stall is what is handed out in a stall of 5 s.
// An asynchronous consumer gains until the last entry of a pass takes half of
// High, or until it is not done when the next pass comes:
//
//	consumer    service        entries  load   well  p99          slow  p99          Base after  stall
//	fifo     1  deterministic  always   0.10  600/s  0.60 High  150.1/s  1.20 High  0.00 s      10
//	fifo     4  deterministic  always   0.10  800/s  0.20 High  162.1/s  0.95 High  0.00 s      13
//	sharing  4  deterministic  always   0.10  800/s  0.20 High  165.6/s  1.04 High  0.00 s      13
//	pulling  4  deterministic  always   0.10  400/s  0.25 High  100.4/s  1.50 High  0.00 s       4
//	fifo     1  exponential    always   0.10  656/s  1.28 High  131.7/s  3.80 High  0.00 s       4
//	fifo     4  exponential    always   0.10  748/s  0.50 High  158.0/s  3.00 High  0.00 s      13
//	sharing  4  exponential    always   0.10  740/s  0.60 High  157.1/s  3.35 High  0.00 s      13
//	pulling  4  exponential    always   0.10  399/s  1.07 High  139.9/s  7.28 High  0.00 s       4
//	fifo     1  deterministic  always   0.35  200/s  0.30 High   47.6/s  1.20 High  0.03 s       7
//	fifo     4  deterministic  always   0.35  250/s  0.16 High   47.5/s  1.53 High  0.23 s       9
//	sharing  4  deterministic  always   0.35  250/s  0.12 High   46.4/s  1.40 High  0.02 s      13
//	pulling  4  deterministic  always   0.35  286/s  0.46 High   46.8/s  2.07 High  0.24 s       0
//	fifo     1  exponential    always   0.35  251/s  1.13 High   47.8/s  4.46 High  0.00 s       3
//	fifo     4  exponential    always   0.35  276/s  0.56 High   48.8/s  3.39 High  0.03 s       8
//	sharing  4  exponential    always   0.35  274/s  0.78 High   48.9/s  4.23 High  0.00 s       8
//	pulling  4  exponential    always   0.35  276/s  1.28 High   46.9/s  7.10 High  0.05 s       2
//
// # Limits
//
// A consumer that stops is handed Brake / (Interval*Base) entries before the
// brake is on, however large Parallel is: with Brake at 5 unstressed services
// and a load of 0.7, that is 3.5 for each of the Parallel: some 60
// with Parallel 16, 16 or fewer with Parallel 4. Extra reads add one pass of
// MaxReads to that, since the passes after it find the consumer full.
//
// # Steering by age
//
// A rule that steps by one on latency alone, Max 100, five keys that always
// wait, 120 s, and otherwise the first row of the first table. Steering
//
//	by time in cache: at Max from 66 s on, 10.0/s at the end, p99 7 ms
//	by consumer latency: divisor 10, 100.0/s at the end, p99 7 ms
//
// The idle steps keep a Governor from staying there even if it is told the
// wrong latency, but the measure is wrong all the same.
//
// # The limit
//
// A [Limit] says how much may be in flight at once, and a [Limiter] hands out
// that many permits. [Gradient2] finds the number from the latency of the work
// itself, [Windowed] gives it the means of windows rather than single samples,
// and [Fixed] is a number that stays. The algorithms are pure; only the Limiter
// reads the clock, once when work starts and once when it ends. A permit taken
// and given back costs about 80 ns without allocation.
//
// The documentation of Gradient2 says what the published formula leaves out,
// what its three states are, and why a limit that is always full creeps to Max.
//
// # Simulation of the limit
//
//	go test -run LimitSimulation -v ./governor
//
// The drift: a limit that is always full, over a consumer of capacity 50, whose
// RTT is in proportion to what is in flight above that. The limit after so many
// updates, without a Max; healthy is MaxHealthyRTT, and the unloaded RTT 10 ms:
//
//	tolerance  healthy   500   1000   3000   6000
//	1.0        -         60     67     92    132
//	1.2        -         93    136    559   2689
//	1.5        -        170    394   1984   4384
//	1.0        15ms      60     67     76     76
//	1.5        15ms      81     81     81     81
//
// A step to load and back: always as much in flight as the limit allows, 20
// servers of 100 ms first in first out, windows of 1 s. From 180 s to 480 s
// only 5 servers are left, or each takes 400 ms; either way 50 a second are
// possible then. The limit at the end, the rate and the p99 of the RTT, over the
// 90 s before, the first and the last minute of the load, and the minute before
// 900 s:
//
//	load         tolerance  healthy  before             first minute       last minute        after
//	5 servers    1.0        -         28  200/s  0.17s   11   50/s  0.55s   14   50/s  0.31s   47  200/s  0.26s
//	5 servers    1.0        150ms     28  200/s  0.17s   10   50/s  0.55s   10   50/s  0.22s   31  200/s  0.18s
//	5 servers    1.5        -         53  200/s  0.28s   19   51/s  1.05s   33   50/s  0.68s  188  200/s  0.95s
//	5 servers    1.5        150ms     39  200/s  0.21s   13   50/s  0.78s   12   50/s  0.30s   39  200/s  0.21s
//	400 ms each  1.0        -         28  200/s  0.17s    8   28/s  0.73s   13   30/s  0.44s   46  200/s  0.26s
//	400 ms each  1.0        150ms     28  200/s  0.17s    8   28/s  0.73s    8   20/s  0.44s   30  200/s  0.18s
//
// Where work gets slower without queueing, the limit falls all the same, down
// to 8 with a queue of 4, and leaves servers idle: Min is the remedy. Without
// MaxHealthyRTT the load that was learnt raises the limit afterwards.
//
// Work of two kinds, of which nine in ten take 2 ms and one takes 200 ms,
// without any queue; Max is 50. Every shrink is a mistake:
//
//	updates     tolerance  limit   mean  rate
//	per sample  1.0         8..50  44.8  2032/s
//	windowed    1.0        49..50  49.9  2335/s
//	per sample  1.5         8..50  44.8  2032/s
//	windowed    1.5        50..50  50.0  2329/s
//
// The package example runs a governor against a consumer of 50 ms. The example
// of Limiter limits what is in flight.
package governor

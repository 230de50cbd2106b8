package quota

import (
	"errors"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// Bugs that users of other quota systems have reported, each as a test of what
// happens here. The name before the colon is the report.

func producerOf(q *Quotas, user, client string) *Gate {
	return q.Producer(Identity{User: user, ClientID: client})
}

// KAFKA-9658: a default was removed, and clients stayed throttled.
func TestReportRemovedDefaultReleases(t *testing.T) {
	q := mustNew(t, Options{Producers: 8})
	everybody := Entity{User: Default()}
	mustAlter(t, q, everybody, percent("1"))
	mustAlter(t, q, Entity{User: Named("other")}, percent("1")) // so that time is still measured
	gate := producerOf(q, "alice", "")
	if d := gate.Charge(q.epoch, time.Second, 0); d.Time == 0 {
		t.Error("not throttled to begin with")
	}
	if err := q.Remove(everybody); err != nil {
		t.Fatal(err)
	}
	if d := gate.Charge(q.epoch, time.Second, 0); d != (Delay{}) {
		t.Errorf("delay %v after the quota was removed", d)
	}
}

// KAFKA-4158, KAFKA-3586: deleting an override did not bring the default back.
func TestReportRemovedOverrideFallsBack(t *testing.T) {
	q := mustNew(t, Options{})
	mustAlter(t, q, Entity{User: Default()}, produced("100"))
	mustAlter(t, q, alice, produced("1000000"))
	gate := producerOf(q, "alice", "")
	if d := gate.Charge(q.epoch, 0, 110); d.Bytes != 0 {
		t.Errorf("delay %v under the override", d)
	}
	mustAlter(t, q, alice, Change{Key: ProducerByteRate, Remove: true})
	if d := gate.Charge(q.epoch, 0, 0); d.Bytes != 100*ms {
		t.Errorf("110 bytes under a default of 100: delay %v, want 100ms", d)
	}
}

// KAFKA-10458: a new bound was not seen by what had been made before.
func TestReportNewLimitIsSeen(t *testing.T) {
	q := mustNew(t, Options{})
	mustAlter(t, q, alice, produced("1000"))
	gate := producerOf(q, "alice", "")
	gate.Charge(q.epoch, 0, 1000)
	mustAlter(t, q, alice, produced("800"))
	if d := gate.Charge(q.epoch, 0, 0); d.Bytes != 250*ms {
		t.Errorf("lowered: delay %v, want 250ms", d)
	}
	mustAlter(t, q, alice, produced("2000"))
	if d := gate.Charge(q.epoch, 0, 0); d.Bytes != 0 {
		t.Errorf("raised: delay %v", d)
	}
}

// KAFKA-9677: what is larger than the quota allows at once never got through.
func TestReportLargeMessagePasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := mustNew(t, Options{})
		mustAlter(t, q, alice, produced("10"))
		gate := producerOf(q, "alice", "")
		for range 3 {
			gate.Charge(time.Now(), 0, 50)
			if d := waited(t, gate); d > 5*time.Second {
				t.Errorf("50 bytes at 10 per second: waited %v, want 5s at most", d)
			}
		}
	})
}

// KIP-599: 560 units at 5 per second said 12 s and blocked for 100 s. The delay
// is what the formula says here too; the wait is what was used, by the quota.
func TestReportBurstIsPaidOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := mustNew(t, Options{Samples: 11, MaxDelay: time.Hour})
		mustAlter(t, q, alice, produced("5"))
		gate := producerOf(q, "alice", "")
		time.Sleep(time.Minute)
		if d := gate.Charge(time.Now(), 0, 560); d.Bytes != 102*time.Second {
			t.Errorf("delay %v, want 560/5 s less the 10 s of the window", d.Bytes)
		}
		if d := waited(t, gate); d != 102*time.Second {
			t.Errorf("waited %v, want as told", d)
		}
	})
}

// KAFKA PR 12184: a single sample measured over no time.
func TestReportSingleSampleHasALength(t *testing.T) {
	w := window{samples: 1, size: time.Second, floor: true}
	w.record(0, 5)
	if r := w.read(0); r.span != time.Second || r.rate() != 5 {
		t.Errorf("%v over %v, want 5 over 1s", r.rate(), r.span)
	}
}

// KAFKA-2443, KAFKA-2567: NaN for an entity that was not throttled.
func TestReportNothingIsNaN(t *testing.T) {
	q := mustNew(t, Options{})
	mustAlter(t, q, alice, produced("5"))
	producerOf(q, "alice", "").Charge(q.epoch, 0, 0)
	producerOf(q, "bob", "").Charge(q.epoch, 0, 0)
	for _, at := range []time.Duration{0, time.Second, time.Hour} {
		for _, u := range q.Stats(q.epoch.Add(at)).Entities {
			if sum := u.Used + u.Utilisation + u.Limit; math.IsNaN(sum) || math.IsInf(sum, 0) || u.MeanDelay != 0 {
				t.Errorf("after %v: %+v", at, u)
			}
		}
	}
}

// KAFKA PR 15889: the rate jumped when the oldest sample was dropped early.
func TestReportSteadyRateReadsSteady(t *testing.T) {
	w := window{samples: 11, size: time.Second}
	for at := time.Duration(0); at < time.Minute; at += 50 * ms {
		w.record(at, 50)
		if got := w.read(at).rate(); at > 12*time.Second && math.Abs(got-1000) > 6 {
			t.Fatalf("at %v: %v per second, want 1000", at, got)
		}
	}
}

// KAFKA-14943: zero and negative values were taken, and disabled the quota.
func TestReportSenselessValuesAreRefused(t *testing.T) {
	q := mustNew(t, Options{})
	for _, value := range []string{"0", "-1", "NaN", "Infinity"} {
		if q.Alter(alice, percent(value)) == nil || q.Alter(alice, produced(value)) == nil {
			t.Errorf("%s was taken", value)
		}
	}
}

// KAFKA-13341: no client-id meant no quota, and an empty document switched the
// next level off.
func TestReportEmptyClientIDIsNoWayOut(t *testing.T) {
	q := mustNew(t, Options{})
	mustAlter(t, q, Entity{ClientID: Default()}, produced("5"))
	if err := q.Load(alice, []byte(`{"version":2,"config":{}}`)); err != nil {
		t.Fatal(err)
	}
	for _, gate := range []*Gate{producerOf(q, "", ""), producerOf(q, "alice", ""), producerOf(q, "alice", "app")} {
		if d := gate.Charge(q.epoch, 0, 50); d.Bytes == 0 {
			t.Errorf("%+v is not throttled", gate.id)
		}
	}
}

// KAFKA-16222, 16411, 9980, 9942, 18808: the default, "" and "<default>" were
// taken for one another.
func TestReportDefaultIsNoName(t *testing.T) {
	q := mustNew(t, Options{Dir: tempDir(t)})
	mustAlter(t, q, Entity{User: Named("<default>")}, produced("5"))
	if u := q.Describe(q.epoch, Identity{User: "alice"})[1]; u.Level != 0 {
		t.Errorf("alice has the quota of a user who is called <default>: %v", u)
	}
	mustAlter(t, q, Entity{User: Default()}, produced("7"))
	if err := q.Reload(); err != nil {
		t.Fatal(err)
	}
	for user, want := range map[string]float64{"<default>": 5, "alice": 7, "": 7} {
		if u := q.Describe(q.epoch, Identity{User: user})[1]; u.Limit != want {
			t.Errorf("%q has %v, want %v", user, u.Limit, want)
		}
	}
	if err := q.Alter(Entity{User: Named("")}, produced("9")); !errors.Is(err, ErrConfig) {
		t.Errorf("an empty name: %v", err)
	}
}

// KAFKA-14215: forwarded work was charged to nobody. Whoever does the work, it is
// charged to the identity that it is for, once.
func TestReportWorkIsChargedOnce(t *testing.T) {
	q := mustNew(t, Options{})
	mustAlter(t, q, alice, produced("1000"))
	for _, client := range []string{"a", "b", "c"} {
		producerOf(q, "alice", client).Charge(q.epoch, 0, 100)
	}
	all := q.Stats(q.epoch).Entities
	if len(all) != 1 || all[0].Total != 300 {
		t.Errorf("got %+v, want 300 bytes of one entity", all)
	}
}

// KAFKA-5250, KAFKA-6946, KAFKA-16083: memory was held while throttled, throttling
// changed the state of a connection, and counted against its deadlines. The wait comes
// before the next delivery is taken; what was taken is done; order stays.
func TestReportNothingIsInHandDuringAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := mustNew(t, Options{})
		mustAlter(t, q, alice, percent("10"))
		gate := producerOf(q, "alice", "")
		var done []int
		inHand := 0
		for next := range 5 {
			wait := waited(t, gate)
			if inHand != 0 || next > 1 && wait == 0 {
				t.Errorf("delivery %d: waited %v with %d in hand", next, wait, inHand)
			}
			inHand++
			start := time.Now()
			time.Sleep(200 * ms)
			busy := time.Since(start)
			gate.Charge(time.Now(), busy, 0)
			inHand--
			done = append(done, next)
		}
		u := q.Stats(time.Now()).Entities[0]
		if !slices.Equal(done, []int{0, 1, 2, 3, 4}) || u.Total != int64(time.Second) {
			t.Errorf("done %v, %v charged; want 1s, waits not among it", done, time.Duration(u.Total))
		}
	})
}

// KAFKA-8275: a throttled node was chosen as the one with least to do.
func TestReportThrottledIsNotIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := mustNew(t, Options{})
		mustAlter(t, q, alice, percent("1"))
		gate := producerOf(q, "alice", "")
		gate.Charge(time.Now(), time.Minute, 0)
		go gate.Wait(t.Context())
		synctest.Wait()
		if u := q.Stats(time.Now()).Entities[0]; u.Waiting != 1 || u.Mute != time.Second {
			t.Errorf("got %+v, want it to be waiting", u)
		}
		q.Close()
	})
}

// KAFKA-9364: a line in the log for each throttled request.
func TestReportThrottlingIsReportedSeldom(t *testing.T) {
	var reported []string
	q := mustNew(t, Options{OnThrottle: func(u Usage) { reported = append(reported, u.User) }})
	mustAlter(t, q, Entity{User: Default()}, percent("1"))
	for _, user := range []string{"alice", "bob"} {
		gate := producerOf(q, user, "")
		for at := time.Duration(0); at < time.Minute; at += time.Second {
			gate.Charge(q.epoch.Add(at), time.Second, 0)
		}
	}
	if !slices.Equal(reported, []string{"alice", "alice", "bob", "bob"}) {
		t.Errorf("reported %v, want each of them twice in a minute", reported)
	}
}

// Redpanda PR 18218, 18098: a budget for each core.
func TestReportOneBudgetForAllWorkers(t *testing.T) {
	q := mustNew(t, Options{})
	mustAlter(t, q, alice, produced("1000"))
	var last Delay
	for range 8 {
		last = producerOf(q, "alice", "app").Charge(q.epoch, 0, 150)
	}
	if last.Bytes != 200*ms {
		t.Errorf("1200 bytes by eight workers: delay %v, want 200ms", last.Bytes)
	}
}

// AutoMQ PR 2180, 1635: delays of hours. And Kafka's overflow of long ones.
func TestReportDelaysHaveAMaximum(t *testing.T) {
	q := mustNew(t, Options{MaxDelay: 3 * time.Second})
	mustAlter(t, q, alice, produced("1"), percent("0.000000001"))
	d := producerOf(q, "alice", "").Charge(q.epoch, math.MaxInt64, math.MaxInt64)
	if d != (Delay{Bytes: 3 * time.Second, Time: time.Second}) {
		t.Errorf("got %v, want 3s and 1s", d)
	}
}

// uber-go/ratelimit 119 to 122: after idling, everything went through.
func TestReportBurstAfterIdlingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// The last one goes over: 80 ms and, with 11 samples, 800 ms.
		for samples, want := range map[int]int{1: 10, 11: 99} {
			q := set(t, Options{Samples: samples}, percent("1"))
			gate := producerOf(q, "alice", "")
			gate.Charge(time.Now(), ms, 0)
			time.Sleep(time.Hour)
			burst := 0
			for waited(t, gate) == 0 {
				gate.Charge(time.Now(), 8*ms+ms/10, 0)
				burst++
			}
			if burst != want {
				t.Errorf("%d samples: a burst of %d, want %d", samples, burst, want)
			}
		}
	})
}

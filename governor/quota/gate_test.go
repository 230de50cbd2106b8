package quota

import (
	"testing"
	"time"
)

var alice = Entity{User: Named("alice")}

// set makes quotas of alice alone, with 8 producers.
func set(t testing.TB, o Options, changes ...Change) *Quotas {
	t.Helper()
	o.Producers = 8
	q := mustNew(t, o)
	mustAlter(t, q, alice, changes...)
	return q
}

func percent(value string) Change { return Change{Key: RequestTimePercent, Value: value} }

func produced(value string) Change { return Change{Key: ProducerByteRate, Value: value} }

func TestChargeMeasuresNothingWithoutQuotas(t *testing.T) {
	q := mustNew(t, Options{})
	for _, gate := range []*Gate{q.Producer(Identity{User: "alice"}), q.Consumer(Identity{})} {
		if d := gate.Charge(q.epoch, time.Hour, 1<<40); d != (Delay{}) {
			t.Errorf("delay %v", d)
		}
	}
	if s := q.Stats(q.epoch); len(s.Entities) != 0 {
		t.Errorf("%d entities, want none", len(s.Entities))
	}
}

func TestChargeMeasuresOnlyKindsThatAreSet(t *testing.T) {
	q := set(t, Options{}, percent("1"))
	q.Producer(Identity{User: "bob", ClientID: "app"}).Charge(q.epoch, 80*ms, 1000)
	s := q.Stats(q.epoch)
	if len(s.Entities) != 1 || s.Entities[0].Key != RequestTimePercent || s.Entities[0].ClientID != "app" || s.Entities[0].Level != 0 {
		t.Errorf("got %+v, want bob's request time alone, without a quota", s.Entities)
	}
	mustAlter(t, q, alice, Change{Key: RequestTimePercent, Remove: true})
	gate := q.Producer(Identity{User: "carol", ClientID: "app2"})
	gate.Charge(q.epoch, 80*ms, 1000)
	if n := len(q.accounts[requestTime]); n != 1 {
		t.Errorf("the last quota was removed: %d entities, want no new one", n)
	}
}

func TestChargeDelays(t *testing.T) {
	q := set(t, Options{}, percent("1"), produced("1000"))
	gate := q.Producer(Identity{User: "alice"})
	if d := gate.Charge(q.epoch, 80*ms, 1000); d != (Delay{}) {
		t.Errorf("just within both: %v", d)
	}
	// 1100 bytes against 1000; 100 ms against 80 ms, recorded at 100 ms.
	if d := gate.Charge(q.epoch, 20*ms, 100); d != (Delay{Bytes: 100 * ms, Time: 250 * ms}) {
		t.Errorf("got %v, want 100 ms and 250 ms", d)
	}
	if d := gate.Charge(q.epoch, time.Hour, 1<<62); d != (Delay{Bytes: time.Second, Time: time.Second}) {
		t.Errorf("got %v, want a window for each", d)
	}
	if d := gate.Charge(q.epoch, -time.Hour, -1<<62); d.Total() != 2*time.Second {
		t.Errorf("negative use pays back: %v", d)
	}
}

func TestConsumerIsChargedForBytesAlone(t *testing.T) {
	q := set(t, Options{}, percent("1"), produced("1000"), Change{Key: ConsumerByteRate, Value: "2000"})
	gate := q.Consumer(Identity{User: "alice"})
	if d := gate.Charge(q.epoch, time.Hour, 2000); d != (Delay{}) {
		t.Errorf("just within: %v", d)
	}
	if d := gate.Charge(q.epoch, time.Hour, 200); d != (Delay{Bytes: 100 * ms}) {
		t.Errorf("got %v, want 100 ms for bytes", d)
	}
}

func TestProducersAreCounted(t *testing.T) {
	q := mustNew(t, Options{})
	mustAlter(t, q, alice, percent("10"))
	gates := []*Gate{q.Producer(Identity{User: "alice"}), q.Producer(Identity{})}
	q.Consumer(Identity{})
	limit := func() time.Duration { return q.Describe(q.epoch, Identity{User: "alice"})[0].Budget.Time() }
	if n := q.Stats(q.epoch).Producers; n != 2 || limit() != 200*ms {
		t.Errorf("%d producers, budget %v; want 2 and 200 ms", n, limit())
	}
	gates[0].Charge(q.epoch, 150*ms, 0)
	gates[1].Close()
	gates[1].Close()
	if n := q.Stats(q.epoch).Producers; n != 1 || limit() != 100*ms {
		t.Errorf("%d producers, budget %v; want 1 and 100 ms", n, limit())
	}
	// The history stays, the limit is the new one.
	if d := gates[0].Charge(q.epoch, 0, 0); d.Time != 500*ms {
		t.Errorf("150 ms against 100 ms: delay %v, want 500 ms", d)
	}
	gates[0].Close()
	if d := gates[0].Charge(q.epoch, 0, 0); d.Time != 500*ms {
		t.Errorf("after the last gate: delay %v, want 500 ms", d)
	}
}

func TestObserveCountsAndDoesNotDelay(t *testing.T) {
	q := set(t, Options{Observe: true}, percent("1"), produced("1000"))
	gate := q.Producer(Identity{User: "alice"})
	d := gate.Charge(time.Now(), time.Second, 2000)
	if d.Time != time.Second || d.Bytes != time.Second {
		t.Errorf("got %v, want what it would be", d)
	}
	if err := gate.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	for _, u := range q.Stats(time.Now()).Entities {
		if u.Throttled != 1 || u.Delayed != time.Second || u.Mute != 0 || u.Waited != 0 {
			t.Errorf("got %+v, want one throttled and nothing muted", u)
		}
	}
}

func TestChargeDoesNotAllocate(t *testing.T) {
	q := set(t, Options{}, percent("1"), produced("1000"))
	gate := q.Producer(Identity{User: "alice"})
	now := q.epoch
	charge := func() {
		now = now.Add(10 * ms)
		gate.Charge(now, 5*ms, 100)
	}
	for range 1000 {
		charge()
	}
	if n := testing.AllocsPerRun(1000, charge); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCharge(b *testing.B) {
	both := []Change{percent("1"), produced("1000000")}
	for _, bench := range []struct {
		name    string
		samples int
		changes []Change
	}{
		{"off", 1, nil},
		{"time", 1, both[:1]},
		{"time and bytes", 1, both},
		{"time and bytes, 11 samples", 11, both},
	} {
		b.Run(bench.name, func(b *testing.B) {
			gate := set(b, Options{Samples: bench.samples}, bench.changes...).Producer(Identity{User: "alice"})
			now := time.Now()
			b.ReportAllocs()
			for b.Loop() {
				now = now.Add(time.Millisecond)
				gate.Charge(now, 100*time.Microsecond, 100)
			}
		})
	}
}

func BenchmarkChargeThrottled(b *testing.B) {
	gate := set(b, Options{}, percent("0.001"), produced("1")).Producer(Identity{User: "alice"})
	now := time.Now()
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(time.Millisecond)
		gate.Charge(now, 100*time.Microsecond, 100)
	}
}

func BenchmarkWaitOpen(b *testing.B) {
	gate := set(b, Options{}, percent("1")).Producer(Identity{User: "alice"})
	gate.Charge(time.Now(), 0, 0)
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		gate.Wait(ctx)
	}
}

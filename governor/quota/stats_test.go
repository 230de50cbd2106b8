package quota

import (
	"testing"
	"time"
)

func TestStats(t *testing.T) {
	q := set(t, Options{}, percent("1"), produced("1000"))
	gate := producerOf(q, "alice", "app")
	gate.Charge(q.epoch, 120*ms, 500)
	producerOf(q, "bob", "app").Charge(q.epoch, 80*ms, 0)
	q.Exempt(q.epoch, 3*time.Second)
	q.Exempt(q.epoch, -time.Second)
	s := q.Stats(q.epoch)
	if s.Producers != 8 || s.Exempt != 3*time.Second || s.ExemptPercent != 10 || len(s.Entities) != 4 {
		t.Fatalf("got %+v", s)
	}
	got := s.Entities[2]
	want := Usage{
		Key: RequestTimePercent, User: "alice", Level: 3, Entity: alice, Limit: 1,
		Budget: Budget{Percent: 1, Workers: 8, Window: time.Second},
		Used:   1.5, Window: time.Second, Utilisation: 1.5, Total: int64(120 * ms),
		Throttled: 1, Delayed: 500 * ms, MeanDelay: 500 * ms, Mute: 500 * ms,
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	bytes := s.Entities[0]
	if bytes.Key != ProducerByteRate || bytes.User != "alice" || bytes.Used != 500 || bytes.Utilisation != 0.5 || bytes.Budget != (Budget{}) {
		t.Errorf("got %+v, want half of the bytes used", bytes)
	}
	if bob := s.Entities[3]; bob.User != "bob" || bob.ClientID != "app" || bob.Level != 0 || bob.Used != 1 || bob.Utilisation != 0 {
		t.Errorf("got %+v, want bob's client without a quota", bob)
	}
}

func TestDescribe(t *testing.T) {
	q := set(t, Options{}, percent("1"))
	id := Identity{User: "alice", ClientID: "app"}
	if n := len(q.Stats(q.epoch).Entities); n != 0 {
		t.Errorf("%d entities, want none", n)
	}
	all := q.Describe(q.epoch, id)
	want := []string{"request_time_percent=1.0 (1 % of 8 workers = 80ms per 1s) from users/alice", "producer_byte_rate: none", "consumer_byte_rate: none"}
	for i, u := range all {
		if u.String() != want[i] {
			t.Errorf("got %q, want %q", u, want[i])
		}
	}
	if n := len(q.Stats(q.epoch).Entities); n != 0 {
		t.Errorf("describing made %d entities", n)
	}
	producerOf(q, "alice", "other").Charge(q.epoch, 40*ms, 0)
	mustAlter(t, q, alice, percent("2"))
	if u := q.Describe(q.epoch, id)[0]; u.Limit != 2 || u.Used != 0.5 || u.Utilisation != 0.25 {
		t.Errorf("got %+v, want what all of alice's clients used, and the limit as it is now", u)
	}
}

func TestBudget(t *testing.T) {
	for want, b := range map[string]Budget{
		"1 % of 8 workers = 80ms per 1s":       {1, 8, time.Second},
		"0.5 % of 1 worker = 50ms per 10s":     {0.5, 1, 10 * time.Second},
		"100 % of 3 workers = 3s per 1s":       {100, 3, time.Second},
		"0.001 % of 8 workers = 80µs per 1s":   {0.001, 8, time.Second},
		"0.1 % of 3 workers = 300µs per 100ms": {0.1, 3, 100 * ms},
	} {
		if got := b.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

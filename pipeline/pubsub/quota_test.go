package pubsub

import (
	"context"
	"fmt"
	"iter"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor/quota"
	"github.com/headrace/headrace/operators"
	"github.com/headrace/headrace/pipeline"
)

const (
	handling = 10 * ms // of each message, in the producer
	pause    = 50 * ms // between the messages of the modest user
)

// tenants is a pipeline with a greedy and a modest producer, each behind a topic
// of a broker, and their publishers.
type tenants struct {
	t      *testing.T
	quotas *quota.Quotas
	broker *gochannel.GoChannel
	p      *pipeline.Pipeline[string, quote]

	stop  context.CancelFunc
	ended chan error
	all   sync.WaitGroup
}

func startTenants(t *testing.T) *tenants {
	quotas, err := quota.New(quota.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &tenants{t: t, quotas: quotas, broker: newChannel(t), ended: make(chan error, 1)}
	s.p = newPipeline(t, pipeline.Config[string, quote]{Quotas: quotas})
	for _, user := range []string{"greedy", "modest"} {
		s.p.Produce(pipeline.Producer[quote]{
			Name: user, User: user, ClientID: "app",
			Source: pipeline.Via(Subscribe(s.broker, user, decode), handled),
		})
	}
	s.p.Consume(func(context.Context, cache.Entry[string, quote]) error { return nil })
	ctx, stop := context.WithCancel(t.Context())
	s.stop = stop
	s.all.Go(func() { s.ended <- s.p.Run(ctx) })
	synctest.Wait() // until both have subscribed
	s.all.Go(func() { s.publish(ctx, "greedy", 0) })
	s.all.Go(func() { s.publish(ctx, "modest", pause) })
	return s
}

// handled is a chain that takes its time.
func handled(in iter.Seq[quote]) iter.Seq[quote] {
	return operators.Tap(in, func(quote) { time.Sleep(handling) })
}

// publish publishes messages of 10 bytes, each when the one before was acknowledged.
func (s *tenants) publish(ctx context.Context, user string, pause time.Duration) {
	for n := 0; ctx.Err() == nil; n++ {
		m := message.NewMessage(watermill.NewUUID(), fmt.Appendf(nil, "%s %03d", user, n%1000))
		began := time.Now()
		if err := s.broker.Publish(user, m); err != nil || ctx.Err() != nil {
			return
		}
		if took := time.Since(began); pause > 0 && took != handling {
			s.t.Errorf("message %d of %s took %v, want %v", n, user, took, handling)
		}
		time.Sleep(pause)
	}
}

// during returns how many messages of each user came into the cache in a time.
func (s *tenants) during(d time.Duration) (greedy, modest uint64) {
	synctest.Wait() // for what is done at this instant
	before := s.p.Stats().Producers
	time.Sleep(d)
	synctest.Wait()
	after := s.p.Stats().Producers
	return after[0].Admitted - before[0].Admitted, after[1].Admitted - before[1].Admitted
}

// end stops the pipeline, which must not take longer than a message.
func (s *tenants) end() {
	began := time.Now()
	s.stop()
	if err := <-s.ended; err != nil {
		s.t.Error(err)
	}
	if took := time.Since(began); took > handling {
		s.t.Errorf("the stop took %v, want no longer than a message", took)
	}
	s.broker.Close()
	s.all.Wait()
	stats := s.p.Stats()
	if err := stats.Ledger.Check(); err != nil || stats.Ledger.Waiting != 0 {
		s.t.Errorf("ledger %+v, %v", stats.Ledger, err)
	}
	for _, r := range stats.Producers {
		if r.Received != r.Admitted+r.Rejected || r.Rejected > 1 {
			s.t.Errorf("producer %+v, want all admitted but the one in hand", r)
		}
	}
}

// set sets a quota for both users.
func (s *tenants) set(key quota.Key, value string) {
	s.t.Helper()
	for _, e := range both {
		if err := s.quotas.Alter(e, quota.Change{Key: key, Value: value}); err != nil {
			s.t.Fatal(err)
		}
	}
}

// of returns what is known of a user.
func (s *tenants) of(key quota.Key, user string) (found quota.Usage) {
	s.t.Helper()
	for _, u := range s.p.Stats().Quotas.Entities {
		if u.Key == key && u.User == user {
			return u
		}
	}
	s.t.Errorf("nothing is known of %s of %s", key, user)
	return found
}

var both = [2]quota.Entity{{User: quota.Named("greedy")}, {User: quota.Named("modest")}}

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance*want }

// Without a quota the greedy user has 100 messages a second; with 10 % of the time
// of two producers, 200 ms a second, it has 20. The modest one takes 167 ms a second,
// with and without the same quota.
func TestQuotaOfTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startTenants(t)
		s.mustBeFree()
		if n := len(s.p.Stats().Quotas.Entities); n != 0 {
			t.Errorf("%d entities are measured without a quota", n)
		}

		s.set(quota.RequestTimePercent, "10")
		s.during(2 * time.Second) // the first budget is used at once
		was := [2]quota.Usage{s.of(quota.RequestTimePercent, "greedy"), s.of(quota.RequestTimePercent, "modest")}
		g, m := s.during(10 * time.Second)
		if !near(float64(g), 200, 0.1) || m < 166 || m > 168 {
			t.Errorf("%d and %d messages in 10 s, want 200 and 167", g, m)
		}
		u := s.of(quota.RequestTimePercent, "greedy")
		if used := u.Total - was[0].Total; used != int64(g)*int64(handling) {
			t.Errorf("greedy: %v were charged for %d messages", time.Duration(used), g)
		}
		if waited := u.Waited - was[0].Waited; u.Throttled <= was[0].Throttled || u.Delayed <= was[0].Delayed || waited < 7*time.Second {
			t.Errorf("greedy: waited %v, %+v; want it held back most of the time", waited, u)
		}
		if u.Level != 3 || u.Entity != both[0] || u.Limit != 10 || u.Budget.Time() != 200*ms || u.Budget.Workers != 2 {
			t.Errorf("greedy: %v, budget %v", u, u.Budget.Time())
		}
		u = s.of(quota.RequestTimePercent, "modest")
		if used := u.Total - was[1].Total; used != int64(m)*int64(handling) {
			t.Errorf("modest: %v were charged for %d messages", time.Duration(used), m)
		}
		if u.Limit != 10 || u.Throttled != 0 || u.Delayed != 0 || u.Waited != 0 || u.Waiting != 0 {
			t.Errorf("modest: %+v, want no delay", u)
		}
		if n := s.p.Stats().Quotas.Producers; n != 2 {
			t.Errorf("a percentage is one of %d producers, want 2", n)
		}

		if err := s.quotas.Remove(both[0]); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // the wait that goes on ends within a window
		s.mustBeFree()
		if u := s.quotas.Describe(time.Now(), quota.Identity{User: "greedy", ClientID: "app"})[0]; u.Level != 0 || u.Throttled != 0 || u.Waiting != 0 {
			t.Errorf("greedy: %+v, want no quota", u)
		}
		s.end()
	})
}

// mustBeFree expects that nobody is held back for a second.
func (s *tenants) mustBeFree() {
	s.t.Helper()
	if g, m := s.during(time.Second); g < 99 || m < 16 || m > 17 {
		s.t.Errorf("%d and %d messages in 1 s, want 100 and 17", g, m)
	}
}

// A rate in bytes is charged by the payload.
func TestQuotaOfBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startTenants(t)
		s.set(quota.ProducerByteRate, "250")
		s.during(2 * time.Second)
		before := s.of(quota.ProducerByteRate, "greedy").Total
		g, m := s.during(10 * time.Second)
		if !near(float64(g), 250, 0.1) || m < 166 || m > 168 {
			t.Errorf("%d and %d messages of 10 bytes in 10 s, want 250 and 167", g, m)
		}
		u := s.of(quota.ProducerByteRate, "greedy")
		if used := u.Total - before; used != 10*int64(g) || u.Limit != 250 || u.Throttled == 0 {
			t.Errorf("greedy: %d bytes for %d messages, %+v", used, g, u)
		}
		u = s.of(quota.ProducerByteRate, "modest")
		if u.Limit != 250 || u.Total == 0 || u.Throttled != 0 || u.Waited != 0 {
			t.Errorf("modest: %+v, want no delay", u)
		}
		s.end() // while the greedy user is held back
	})
}

// The time of decode is charged like that of a chain, if it refuses too.
func TestQuotaOfDecoding(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quotas, err := quota.New(quota.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := quotas.Alter(quota.Entity{User: quota.Named("u")}, quota.Change{Key: quota.RequestTimePercent, Value: "50"}); err != nil {
			t.Fatal(err)
		}
		b := newBroker(1)
		p := newPipeline(t, pipeline.Config[string, quote]{Quotas: quotas})
		p.Produce(pipeline.Producer[quote]{User: "u", Source: Subscribe(b, "in", func(m *message.Message) (quote, error) {
			time.Sleep(handling)
			return decode(m)
		})})
		p.Consume(func(context.Context, cache.Entry[string, quote]) error { return nil })
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- p.Run(ctx) }()
		b.send("a 1", "a 2", "a x")
		time.Sleep(time.Second)
		usage := p.Stats().Quotas.Entities
		if len(usage) != 1 || usage[0].Total != int64(3*handling) {
			t.Errorf("usage %+v, want a total of %d", usage, int64(3*handling))
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

package kafka

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// When a second member joins, one partition moves: what was done of it is
// committed, what was not is revoked and comes to the other member. The
// partition that stays is as it was.
func TestRebalanceCooperative(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.produce(0, "a 1", "a 2")
	c.produce(1, "b 1", "b 2")
	rarely := kgo.AutoCommitInterval(time.Hour)
	one := start(t, Consume(c.options(rarely), decode))
	items := make(map[string]item)
	for range 4 {
		i := one.next()
		items[i.String()] = i
	}
	items["a 1"].Receipt.Ack()
	items["b 1"].Receipt.Ack()
	two := start(t, Consume(c.options(rarely), decode))
	i := two.next()
	if i.String() != "a 2" && i.String() != "b 2" {
		t.Fatalf("the second member got %v, want what was not done", i)
	}
	for text, d := range items {
		moved := d.Value.key == i.Value.key
		if isRevoked(d) != moved {
			t.Errorf("%s: revoked is %v, want %v", text, isRevoked(d), moved)
		}
		if text == "a 2" || text == "b 2" {
			if ok := d.Receipt.Ack(); ok == moved {
				t.Errorf("%s: acknowledged is %v", text, ok)
			}
		}
	}
	two.nothing(100 * ms)
	i.Receipt.Ack()
	one.close()
	two.close()
	for p := range int32(2) {
		if got := c.fetchOffset(p); got != 2 {
			t.Errorf("partition %d: committed %d, want 2", p, got)
		}
	}
}

// An eager group takes everything from everyone at each rebalance. What comes
// back is not yielded again.
func TestRebalanceEager(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2)
	c.produce(0, "a 1", "a 2")
	c.produce(1, "b 1", "b 2")
	eager := kgo.Balancers(kgo.RangeBalancer())
	one := start(t, Consume(c.options(eager), decode))
	var items []item
	for range 4 {
		items = append(items, one.next())
	}
	two := start(t, Consume(c.options(eager), decode))
	moved := two.next().Value.key
	if got := two.next().Value.key; got != moved {
		t.Errorf("the second member got both %q and %q", moved, got)
	}
	for _, i := range items {
		if i.Value.key == moved {
			if !isRevoked(i) || i.Receipt.Ack() {
				t.Errorf("%v was not revoked", i)
			}
			continue
		}
		wait(t, "the partition is back", func() bool { return !isAway(i) })
		if !i.Receipt.Ack() {
			t.Errorf("%v was not acknowledged", i)
		}
	}
	one.nothing(100 * ms)
	two.nothing(0)
}

// Someone who may not read ends the source.
func TestRebalanceForbidden(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.fake.ControlKey(int16(kmsg.JoinGroup), func(request kmsg.Request) (kmsg.Response, error, bool) {
		c.fake.KeepControl()
		response := request.ResponseKind().(*kmsg.JoinGroupResponse)
		response.ErrorCode = kerr.GroupAuthorizationFailed.Code
		return response, nil, true
	})
	r := start(t, Consume(c.options(), decode))
	want := "kafka: unable to join group session: " + kerr.GroupAuthorizationFailed.Error()
	if got := r.next().String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.end()
}

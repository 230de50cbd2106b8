package kafka

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const ms = time.Millisecond

// quote is a record of the form "key number".
type quote struct {
	key string
	n   int
}

func (q quote) Key() string { return q.key }

func decode(r *kgo.Record) (quote, error) {
	key, number, _ := strings.Cut(string(r.Value), " ")
	if key == "panic" {
		panic("at the disco")
	}
	n, err := strconv.Atoi(number)
	return quote{key, n}, err
}

// errorLog is an Options.OnError that keeps what it gets.
type errorLog struct {
	mu   sync.Mutex
	errs []string
}

func (l *errorLog) add(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errs = append(l.errs, err.Error())
}

func (l *errorLog) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.errs
}

// cluster is a Kafka of its own, with the topic "quotes".
type cluster struct {
	t     *testing.T
	fake  *kfake.Cluster
	addrs []string
	admin *kgo.Client

	partitions int32
	published  map[int32]int64 // how many records, by partition
}

func newCluster(t *testing.T, partitions int32) *cluster {
	t.Helper()
	fake, err := kfake.NewCluster(
		kfake.NumBrokers(1),
		kfake.SeedTopics(partitions, "quotes"),
		kfake.GroupMinSessionTimeout(100*ms),
		kfake.BrokerConfigs(map[string]string{"group.initial.rebalance.delay.ms": "0"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	c := &cluster{t: t, fake: fake, addrs: fake.ListenAddrs(), partitions: partitions, published: make(map[int32]int64)}
	c.admin, err = kgo.NewClient(kgo.SeedBrokers(c.addrs...), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.admin.Close)
	return c
}

// options are those of a member of the group, as quick as a test wants it.
func options(addrs []string, more ...kgo.Opt) Options {
	return Options{
		NackDelay: 100 * ms,
		Client: append([]kgo.Opt{
			kgo.SeedBrokers(addrs...),
			kgo.ConsumerGroup("readers"),
			kgo.ConsumeTopics("quotes"),
			kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
			kgo.AutoCommitInterval(100 * ms),
			kgo.SessionTimeout(1500 * ms),
			kgo.HeartbeatInterval(100 * ms),
			kgo.FetchMaxWait(100 * ms),
			kgo.RetryBackoffFn(func(int) time.Duration { return 20 * ms }),
		}, more...),
	}
}

func (c *cluster) options(more ...kgo.Opt) Options { return options(c.addrs, more...) }

func (c *cluster) produce(partition int32, texts ...string) {
	c.t.Helper()
	for _, text := range texts {
		r := &kgo.Record{Topic: "quotes", Partition: partition, Value: []byte(text)}
		if err := c.admin.ProduceSync(context.Background(), r).FirstErr(); err != nil {
			c.t.Fatal(err)
		}
		c.published[partition]++
	}
}

// committed returns the offset that the group has committed, and waits for it
// to be what is wanted. It is -1 when there is none.
func (c *cluster) committed(partition int32, want int64) int64 {
	c.t.Helper()
	for began := time.Now(); ; time.Sleep(5 * ms) {
		got := c.fetchOffset(partition)
		if got == want || time.Since(began) > 5*time.Second {
			return got
		}
	}
}

func (c *cluster) fetchOffset(partition int32) int64 {
	c.t.Helper()
	topic := kmsg.NewOffsetFetchRequestGroupTopic()
	topic.Topic, topic.Partitions = "quotes", []int32{partition}
	group := kmsg.NewOffsetFetchRequestGroup()
	group.Group, group.Topics = "readers", []kmsg.OffsetFetchRequestGroupTopic{topic}
	request := kmsg.NewPtrOffsetFetchRequest()
	request.Groups = []kmsg.OffsetFetchRequestGroup{group}
	response, err := request.RequestWith(context.Background(), c.admin)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, g := range response.Groups {
		for _, t := range g.Topics {
			for _, p := range t.Partitions {
				return p.Offset
			}
		}
	}
	return -1
}

// texts returns "key first" to "key last".
func texts(key string, first, last int) (all []string) {
	for i := first; i <= last; i++ {
		all = append(all, fmt.Sprint(key, " ", i))
	}
	return all
}

// members waits until so many are in the group, and it is at rest.
func (c *cluster) members(want int) {
	c.t.Helper()
	for began := time.Now(); time.Since(began) < 10*time.Second; time.Sleep(10 * ms) {
		request := kmsg.NewPtrDescribeGroupsRequest()
		request.Groups = []string{"readers"}
		response, err := request.RequestWith(context.Background(), c.admin)
		if err != nil {
			c.t.Fatal(err)
		}
		if g := response.Groups[0]; g.State == "Stable" && len(g.Members) == want {
			return
		}
	}
	c.t.Fatalf("there are not %d members", want)
}

// throwOut makes the next member that sends a heartbeat believe that it is no
// member any more.
func (c *cluster) throwOut() {
	c.fake.ControlKey(int16(kmsg.Heartbeat), func(request kmsg.Request) (kmsg.Response, error, bool) {
		response := request.ResponseKind().(*kmsg.HeartbeatResponse)
		response.ErrorCode = kerr.UnknownMemberID.Code
		return response, nil, true
	})
}

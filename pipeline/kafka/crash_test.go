package kafka

import (
	"fmt"
	"hash/fnv"
	"os"
	"testing"
	"time"
)

// child is the process that the tests below kill.
func child(mode string) {
	serve(mode, Consume(options([]string{os.Getenv("HEADRACE_BROKER")}), decode))
}

const keys = 10

// home is the partition of a key.
func (c *cluster) home(key string) int32 {
	h := fnv.New32()
	h.Write([]byte(key))
	return int32(h.Sum32() % uint32(c.partitions))
}

// rounds publishes values of each key, each in its partition.
func (c *cluster) rounds(first, last int) {
	c.t.Helper()
	for n := first; n <= last; n++ {
		for k := range keys {
			key := fmt.Sprint("key", k)
			c.produce(c.home(key), fmt.Sprint(key, " ", n))
		}
	}
}

// drained waits until the group has committed all that was published.
func (c *cluster) drained() {
	c.t.Helper()
	for p := range c.partitions {
		want := c.published[p]
		for began := time.Now(); c.fetchOffset(p) != want; time.Sleep(10 * ms) {
			if time.Since(began) > 30*time.Second {
				c.t.Fatalf("partition %d: committed %d, want %d", p, c.fetchOffset(p), want)
			}
		}
	}
}

// A process dies with values admitted and not done. When another one has taken
// its place, the last value of each key that was processed is the last one
// published, though half of the keys went on meanwhile.
func TestCrashFinalValues(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 3)
	c.rounds(1, 20)
	first := spawn(t, "hold", c.addrs[0])
	first.until("is stuck", func(line string) bool { return line == "stuck" })
	c.rounds(21, 21)
	first.untilAdmitted(21 * keys)
	time.Sleep(3 * 100 * ms) // what is done would be committed by now
	first.kill()
	if len(first.done) == 0 || len(first.done) >= keys {
		t.Errorf("the first process has done %v", first.done)
	}
	second := spawn(t, "last", c.addrs[0])
	for k := range keys / 2 {
		key := fmt.Sprint("key", k)
		c.produce(c.home(key), key+" 22")
	}
	c.drained()
	second.stop()
	for k := range keys {
		key, want := fmt.Sprint("key", k), 21
		if k < keys/2 {
			want = 22
		}
		done := append(first.done[key], second.done[key]...)
		if len(done) == 0 || done[len(done)-1] != want {
			t.Errorf("%s: done %v, want %d at last", key, done, want)
		}
	}
}

// Under a merge that adds up nothing is lost in a crash, and each process
// counts a record at most once.
func TestCrashSums(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 3)
	first := spawn(t, "hold sum", c.addrs[0])
	for range 20 {
		c.rounds(1, 1)
	}
	first.untilAdmitted(20 * keys)
	time.Sleep(3 * 100 * ms) // what is done would be committed by now
	first.kill()
	second := spawn(t, "sum", c.addrs[0])
	c.rounds(1, 1)
	c.drained()
	second.stop()
	for k := range keys {
		key := fmt.Sprint("key", k)
		before, after := sum(first.done[key]), sum(second.done[key])
		if before+after < 21 || after > 21 {
			t.Errorf("%s: %d before the crash and %d after it, want 21 together or more", key, before, after)
		}
	}
}

func sum(all []int) (total int) {
	for _, n := range all {
		total += n
	}
	return total
}

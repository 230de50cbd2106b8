package kafka

import (
	"testing"
	"time"
)

// isRevoked is what a worker asks: the record is then dropped.
func isRevoked(d item) bool { return d.Receipt.(*receipt).Revoked() }

// isAway reports whether the partition of a record is away, and asks nobody.
func isAway(d item) bool {
	r := d.Receipt.(*receipt)
	r.memory.mu.Lock()
	defer r.memory.mu.Unlock()
	return r.record.partition.revoked
}

// wait waits for something to happen.
func wait(t *testing.T, what string, happens func() bool) {
	t.Helper()
	for began := time.Now(); !happens(); time.Sleep(100 * time.Microsecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatalf("timed out; waited until %s", what)
		}
	}
}

// A record that was in hand when its partition went away and came back is not
// yielded again, and its receipt settles it.
func TestReceiptOfReturnedPartition(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.produce(0, "a 1", "a 2", "a 3")
	r := start(t, Consume(c.options(), decode))
	items := r.take("a 1", "a 2", "a 3")
	items[0].Receipt.Ack()
	c.committed(0, 1)
	c.throwOut()
	wait(t, "the partition is away", func() bool { return isAway(items[1]) })
	if items[2].Receipt.Ack() {
		t.Error("acknowledged while the partition was away")
	}
	wait(t, "the partition is back", func() bool { return !isAway(items[1]) })
	r.nothing(100 * ms)
	if !items[1].Receipt.Ack() {
		t.Error("not acknowledged")
	}
	if got := c.committed(0, 3); got != 3 {
		t.Errorf("committed %d, want 3", got)
	}
}

// Who is told that a receipt is revoked has dropped the value, so the record is
// yielded again.
func TestReceiptRevoked(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.produce(0, "a 1", "a 2")
	var errs errorLog
	o := c.options()
	o.OnError = errs.add
	r := start(t, Consume(o, decode))
	items := r.take("a 1", "a 2")
	c.throwOut()
	wait(t, "it is revoked", func() bool { return isRevoked(items[1]) })
	again := r.take("a 2")[0]
	if items[1].Receipt.Ack() || items[1].Receipt.Nack() {
		t.Error("what was revoked is settled")
	}
	again.Receipt.Ack()
	items[0].Receipt.Ack()
	if got := c.committed(0, 2); got != 2 {
		t.Errorf("committed %d, want 2", got)
	}
	if len(errs.all()) == 0 {
		t.Error("the loss was not reported")
	}
}

package kafka

import (
	"errors"
	"testing"
	"time"

	"github.com/headrace/headrace/pipeline"
)

// Records come in order, and what is committed is what is done without a gap.
func TestConsume(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.produce(0, "a 1", "b 2", "a 3", "c 4")
	r := start(t, Consume(c.options(), decode))
	items := r.take("a 1", "b 2", "a 3", "c 4")
	for i, d := range items {
		if d.Sequence != uint64(i) || d.Bytes != 3 {
			t.Errorf("delivery %d has sequence %d and %d bytes", i, d.Sequence, d.Bytes)
		}
	}
	if !items[2].Receipt.Ack() || items[2].Receipt.Ack() || items[2].Receipt.Nack() {
		t.Error("a receipt must settle once")
	}
	items[1].Receipt.Ack()
	time.Sleep(300 * ms)
	if got := c.fetchOffset(0); got > 0 {
		t.Errorf("committed %d, though the first record is not done", got)
	}
	items[0].Receipt.Ack()
	if got := c.committed(0, 3); got != 3 {
		t.Errorf("committed %d, want 3", got)
	}
	items[3].Receipt.Ack()
	r.close() // commits, and does not wait for the interval
	if got := c.fetchOffset(0); got != 4 {
		t.Errorf("committed %d, want 4", got)
	}
}

// What was not acknowledged comes again, and what was done behind it too.
func TestConsumeAgain(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.produce(0, "a 1", "b 2", "a 3")
	r := start(t, Consume(c.options(), decode))
	items := r.take("a 1", "b 2", "a 3")
	items[0].Receipt.Ack()
	items[2].Receipt.Ack()
	if isRevoked(items[1]) {
		t.Error("revoked while the source is open")
	}
	r.close()
	if !isRevoked(items[1]) || items[1].Receipt.Ack() || items[1].Receipt.Nack() {
		t.Error("the end of the source revokes what is in hand")
	}
	start(t, Consume(c.options(), decode)).take("b 2", "a 3")
}

func TestConsumeNack(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.produce(0, "a 1", "b 2")
	r := start(t, Consume(c.options(), decode))
	items := r.take("a 1", "b 2")
	began := time.Now()
	if !items[0].Receipt.Nack() || items[0].Receipt.Nack() || items[0].Receipt.Ack() {
		t.Error("a receipt must settle once")
	}
	again := r.take("a 1")[0] // wakes the poll that is going on
	if after := time.Since(began); after < 90*ms {
		t.Errorf("it came again after %v, want 100ms", after)
	}
	if items[0].Receipt.Ack() {
		t.Error("only the receipt of the last delivery must settle")
	}
	items[1].Receipt.Ack()
	again.Receipt.Nack()
	r.take("a 1")[0].Receipt.Ack()
	if got := c.committed(0, 2); got != 2 {
		t.Errorf("committed %d, want 2", got)
	}
}

// A record that cannot be decoded comes with an error that concerns it alone.
func TestConsumeDecodeError(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.produce(0, "a x", "panic 1", "a 3")
	r := start(t, Consume(c.options(), decode))
	for n, want := range []string{`strconv.Atoi: parsing "x": invalid syntax`, "panic: at the disco"} {
		i := r.next()
		var bad *DecodeError
		if !errors.As(i.err, &bad) || !errors.Is(i.err, pipeline.ErrInvalid) || bad.Err.Error() != want || bad.Record.Offset != int64(n) {
			t.Fatalf("got %v, want %q", i, want)
		}
		i.Receipt.Ack()
	}
	r.take("a 3")
	if got := c.committed(0, 2); got != 2 {
		t.Errorf("committed %d, want 2", got)
	}
}

// A source can be closed while no broker answers.
func TestConsumeBrokersAway(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.produce(0, "a 1")
	var errs errorLog
	o := c.options()
	o.OnError = errs.add
	r := start(t, Consume(o, decode))
	r.take("a 1")[0].Receipt.Ack()
	c.committed(0, 1)
	c.fake.Close()
	r.nothing(500 * ms)
	began := time.Now()
	r.close()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the end took %v", took)
	}
	if len(errs.all()) == 0 {
		t.Error("nothing was reported")
	}
}

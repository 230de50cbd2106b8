package kafka

import "testing"

// The window bounds what is in hand.
func TestWindow(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.produce(0, texts("a", 1, 5)...)
	o := c.options()
	o.Window = 2
	r := start(t, Consume(o, decode))
	items := r.take("a 1", "a 2")
	r.nothing(200 * ms)
	items[1].Receipt.Ack()
	third := r.take("a 3")[0]
	r.nothing(100 * ms)
	third.Receipt.Nack() // it stays in hand, and comes again
	third = r.take("a 3")[0]
	third.Receipt.Ack()
	r.take("a 4")
}

// What is acknowledged behind a record that is not is bounded too.
func TestWindowUncommitted(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1)
	c.produce(0, texts("a", 1, 5)...)
	o := c.options()
	o.Window, o.Uncommitted = 2, 3
	r := start(t, Consume(o, decode))
	first := r.take("a 1")[0]
	r.take("a 2")[0].Receipt.Ack()
	r.take("a 3")[0].Receipt.Ack()
	r.nothing(200 * ms)
	first.Receipt.Ack()
	r.take("a 4", "a 5")
}

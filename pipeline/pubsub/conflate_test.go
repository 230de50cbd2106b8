package pubsub

import (
	"errors"
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

// A subscriber that hands out one message at a time: they are acknowledged as
// they come, and what waits while one is in the hands of the consumer merges.
func TestConflateOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		sub := mustConflate(t, b, ConflateOptions{})
		out := mustSubscribe(t, t.Context(), sub)
		b.send("a 1")
		b.check(t, "ack a 1")
		b.send("a 2", "b 1", "b 2", "a 3", "b 3")
		b.check(t, "ack a 2", "ack b 1", "ack b 2", "ack a 3", "ack b 3")

		m := mustBe(t, out, "a 1") // was on its way out
		mustNotBe(t, out)          // the credit is used up
		m.Ack()
		synctest.Wait()
		mustBe(t, out, "a 3").Ack()
		synctest.Wait()
		mustBe(t, out, "b 3").Ack()
		synctest.Wait()
		mustNotBe(t, out)
		sub.Close()
		mustBeClosed(t, out)
		b.check(t)
	})
}

// No more than Credit messages are in the hands of the consumer.
func TestConflateCredit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		sub := mustConflate(t, b, ConflateOptions{Credit: 2})
		out := mustSubscribe(t, t.Context(), sub)
		b.send("a 1", "b 1", "c 1")
		synctest.Wait()
		one, two := <-out, <-out
		synctest.Wait()
		mustNotBe(t, out)
		one.Ack()
		synctest.Wait()
		mustBe(t, out, "c 1").Ack()
		two.Ack()
		sub.Close()
	})
}

// What is in the hands of the consumer is not merged into: a newer message of
// its key waits until it is settled.
func TestConflateHoldsTheKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		sub := mustConflate(t, b, ConflateOptions{Credit: 2})
		out := mustSubscribe(t, t.Context(), sub)
		b.send("a 1")
		synctest.Wait()
		m := mustBe(t, out, "a 1")
		b.send("a 2", "a 3")
		synctest.Wait()
		mustNotBe(t, out)
		m.Ack()
		synctest.Wait()
		mustBe(t, out, "a 3").Ack()
		sub.Close()
	})
}

// A message that is updated all the time is handed out at its turn.
func TestConflateKeepsThePlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		sub := mustConflate(t, b, ConflateOptions{})
		out := mustSubscribe(t, t.Context(), sub)
		b.send("x 1", "hot 0", "cold 0")
		for n := range 50 {
			b.send(numbered("hot", n))
		}
		synctest.Wait()
		mustBe(t, out, "x 1").Ack()
		synctest.Wait()
		mustBe(t, out, "hot 49").Ack()
		synctest.Wait()
		mustBe(t, out, "cold 0").Ack()
		sub.Close()
	})
}

// A merge may make a message of its own, which is handed out with metadata.
func TestConflateMerge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		sub := mustConflate(t, b, ConflateOptions{Cache: cache.Options[string, *message.Message]{Merge: join}})
		out := mustSubscribe(t, t.Context(), sub)
		b.send("x 1", "a 1", "a 2", "a 3")
		synctest.Wait()
		mustBe(t, out, "x 1").Ack()
		synctest.Wait()
		m := mustBe(t, out, "a 1+a 2+a 3")
		if m.UUID != "a 3" || m.Metadata.Get("key") != "a" {
			t.Errorf("message %q, metadata %v", m.UUID, m.Metadata)
		}
		m.Ack()
		sub.Close()
	})
}

// join keeps both payloads, and the rest of the newer message.
func join(waiting, arriving *message.Message) *message.Message {
	m := arriving.Copy()
	m.Payload = []byte(string(waiting.Payload) + "+" + string(arriving.Payload))
	return m
}

// A message without a key is acknowledged, told of and passed over.
func TestConflateInvalid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		var invalid []error
		key := func(m *message.Message) (string, error) {
			if m.UUID == "c 1" {
				panic("no key")
			}
			return MetadataKey("key")(m)
		}
		sub := mustConflate(t, b, ConflateOptions{Key: key, OnInvalid: func(err error) { invalid = append(invalid, err) }})
		out := mustSubscribe(t, t.Context(), sub)
		b.send("a 1", " 2", "c 1")
		synctest.Wait()
		mustBe(t, out, "a 1").Ack()
		sub.Close()
		b.check(t, "ack a 1", "ack  2", "ack c 1")
		if len(invalid) != 2 {
			t.Fatalf("told of %v", invalid)
		}
		for i, want := range []string{
			`pubsub: message " 2" of topic "in": pubsub: no metadata "key"`,
			`pubsub: message "c 1" of topic "in": panic: no key`,
		} {
			if got := invalid[i].Error(); got != want || !errors.Is(invalid[i], pipeline.ErrInvalid) {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
}

// MaxEntries holds the subscriber back, and MaxBytes measures payloads.
func TestConflateBounds(t *testing.T) {
	bounds := map[string]cache.Options[string, *message.Message]{
		"entries": {MaxEntries: 2},
		"bytes":   {MaxBytes: 6},
	}
	for name, bound := range bounds {
		synctest.Test(t, func(t *testing.T) {
			b := newBroker(1)
			sub := mustConflate(t, b, ConflateOptions{Cache: bound})
			out := mustSubscribe(t, t.Context(), sub)
			b.send("a 1", "b 1", "c 1", "d 1", "b 2")
			synctest.Wait()
			b.check(t, "ack a 1", "ack b 1", "ack c 1") // d waits for room, b 2 behind it
			for _, want := range []string{"a 1", "b 1", "c 1", "d 1", "b 2"} {
				mustBe(t, out, want).Ack()
				synctest.Wait()
			}
			sub.Close()
			if t.Failed() {
				t.Log(name)
			}
		})
	}
}

// With a metronome no more is handed out than its beats allow.
func TestConflatePaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		o := ConflateOptions{Credit: 4}
		o.Metronome.Interval = 10 * ms
		sub := mustConflate(t, b, o)
		out := mustSubscribe(t, t.Context(), sub)
		b.send("a 1", "b 1")
		began := time.Now()
		for _, want := range []time.Duration{10 * ms, 20 * ms} {
			(<-out).Ack()
			if got := time.Since(began); got != want {
				t.Errorf("handed out after %v, want %v", got, want)
			}
		}
		sub.Close()
	})
}

// Watermill's own broker hands out as much as its subscriber takes, in any order.
func TestConflateOverGoChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := gochannel.NewGoChannel(gochannel.Config{OutputChannelBuffer: 10}, watermill.NopLogger{})
		sub := mustConflate(t, ch, ConflateOptions{Key: func(m *message.Message) (string, error) { return m.UUID, nil }, Credit: 3})
		out := mustSubscribe(t, t.Context(), sub)
		const n = 1000
		for range n {
			if err := ch.Publish("in", message.NewMessage(watermill.NewUUID(), nil)); err != nil {
				t.Error(err)
			}
		}
		got := make(map[string]bool)
		for range n {
			m := <-out
			got[m.UUID] = true
			m.Ack()
		}
		if len(got) != n {
			t.Errorf("got %d messages, want %d", len(got), n)
		}
		sub.Close()
		mustBeClosed(t, out)
	})
}

// A consumer that does not keep up costs no goroutines and no memory for what
// waits: 10 keys are 10 entries.
func TestConflateOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := gochannel.NewGoChannel(gochannel.Config{}, watermill.NopLogger{})
		c, err := NewConflator(ConflateOptions{Key: MetadataKey("key")})
		if err != nil {
			t.Fatal(err)
		}
		sub, err := c.Decorate(ch)
		if err != nil {
			t.Fatal(err)
		}
		out := mustSubscribe(t, t.Context(), sub)
		synctest.Wait()
		before := runtime.NumGoroutine()
		for n := range 1000 {
			if err := ch.Publish("in", newMessage(numbered(strconv.Itoa(n%10), n))); err != nil {
				t.Error(err)
			}
		}
		synctest.Wait()
		if after := runtime.NumGoroutine(); after > before+5 { // some of the runtime may come and go
			t.Errorf("%d goroutines more", after-before)
		}
		if l := c.Stats()["in"][0].Ledger; l.Puts != 1000 || l.Waiting+l.Leased > 11 {
			t.Errorf("ledger %+v", l)
		}
		go sub.Close()
		for m := range out {
			m.Ack()
		}
	})
}

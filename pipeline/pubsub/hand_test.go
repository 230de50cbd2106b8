package pubsub

import (
	"testing"
	"testing/synctest"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

// A broker that takes a held message for lost delivers it again. What becomes
// of the first delivery becomes of the copy, and no sooner.
func TestRedeliveredWhileHeld(t *testing.T) {
	newest := cache.Options[string, quote]{Newer: func(old, new quote) bool { return new.n > old.n }}
	for name, options := range map[string]cache.Options[string, quote]{"Latest": {}, "Newer": newest} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := startFeed(t, 8, pipeline.Config[string, quote]{Cache: options})
				f.send("a 1")
				f.expect(t, quote{"a", 1})
				f.send("a 1") // while it is processed
				f.check(t)
				f.send("a 2", "a 2", "b 1", "b 1") // while they wait
				f.check(t)
				f.results <- nil
				f.check(t, "ack a 1", "ack a 1")
				f.expect(t, quote{"a", 2})
				f.send("a 1") // is not held any more, so nothing is known of it
				synctest.Wait()
				f.results <- nil
				f.expect(t, quote{"b", 1})
				f.results <- nil
				if name == "Latest" {
					f.expect(t, quote{"a", 1})
					f.results <- nil
				}
				f.check(t, "ack a 1", "ack a 2", "ack a 2", "ack b 1", "ack b 1")
				f.end(t)
			})
		})
	}
}

func TestHandCopies(t *testing.T) {
	first := message.NewMessage("1", []byte("x"))
	for name, c := range map[string]struct {
		next *message.Message
		copy bool
	}{
		"the same again":   {message.NewMessage("1", []byte("x")), true},
		"another UUID":     {message.NewMessage("2", []byte("x")), false},
		"another payload":  {message.NewMessage("1", []byte("y")), false},
		"another metadata": {withMetadata(message.NewMessage("1", []byte("x"))), false},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHand()
			h.take(first)
			if d, ok := h.take(c.next); ok == c.copy || ok && d.Value != c.next {
				t.Errorf("take = %v, %v", d.Value, ok)
			}
		})
	}
	h := newHand()
	for range 2 {
		if _, ok := h.take(message.NewMessage("", nil)); !ok {
			t.Error("messages without a UUID are taken for one")
		}
	}
}

func withMetadata(m *message.Message) *message.Message {
	m.Metadata.Set("key", "k")
	return m
}

// A settled message is forgotten, and its copies are settled alike.
func TestHandSettles(t *testing.T) {
	for name, settle := range map[string]struct {
		do  func(pipeline.Receipt) bool
		end func(*message.Message) <-chan struct{}
	}{
		"ack":  {pipeline.Receipt.Ack, (*message.Message).Acked},
		"nack": {pipeline.Receipt.Nack, (*message.Message).Nacked},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHand()
			messages := []*message.Message{newMessage("a 1"), newMessage("a 1"), newMessage("a 1")}
			d, _ := h.take(messages[0])
			h.take(messages[1])
			h.take(messages[2])
			if !settle.do(d.Receipt) {
				t.Error("it was settled before")
			}
			for i, m := range messages {
				select {
				case <-settle.end(m):
				default:
					t.Errorf("message %d is not settled", i)
				}
			}
			if len(h.held) != 0 {
				t.Errorf("%d messages are still in hand", len(h.held))
			}
			if _, ok := h.take(newMessage("a 1")); !ok {
				t.Error("a message that comes after is taken for a copy")
			}
			settle.do(d.Receipt) // again: must leave the new one alone
			if len(h.held) != 1 {
				t.Error("the new one is not in hand")
			}
		})
	}
}

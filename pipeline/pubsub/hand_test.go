package pubsub

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

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

// A message is known again though it has been changed in the hands of whoever
// decodes it, and forgotten by what it was.
func TestHandKnowsWhatWasChanged(t *testing.T) {
	h := newHand()
	first, again := newMessage("a 1"), newMessage("a 1")
	d, _ := h.take(first)
	first.UUID, first.Payload[0] = "other", 'z'
	first.Metadata.Set("key", "other")
	if _, ok := h.take(again); ok {
		t.Error("the copy is not known")
	}
	d.Receipt.Ack()
	select {
	case <-again.Acked():
	default:
		t.Error("the copy is not settled")
	}
	if len(h.held) != 0 {
		t.Error("still in hand")
	}
}

// Different messages that share a UUID have copies of their own.
func TestHandOfOneUUID(t *testing.T) {
	h := newHand()
	text := func(s string) *message.Message { return message.NewMessage("1", []byte(s)) }
	x, y, x2, y2 := text("x"), text("y"), text("x"), text("y")
	h.take(x)
	d, _ := h.take(y)
	h.take(x2)
	h.take(y2)
	d.Receipt.Nack()
	select {
	case <-y2.Nacked():
	default:
		t.Error("the copy of y is not refused")
	}
	select {
	case <-x2.Nacked():
		t.Error("the copy of x is")
	default:
	}
	if len(h.held) != 1 {
		t.Errorf("%d in hand, want x", len(h.held))
	}
}

// Copies come while the first is being settled, from other goroutines. None is
// left unsettled.
func TestHandStress(t *testing.T) {
	h := newHand()
	var all sync.WaitGroup
	messages := make([][]*message.Message, 4)
	for g := range messages {
		for range 500 {
			messages[g] = append(messages[g], newMessage("a 1"))
		}
		all.Go(func() {
			for n, m := range messages[g] {
				if d, first := h.take(m); !first {
					continue
				} else if n%2 == 0 {
					d.Receipt.Ack()
					d.Receipt.Nack()
				} else {
					d.Receipt.Nack()
				}
			}
		})
	}
	all.Wait()
	for g := range messages {
		for n, m := range messages[g] {
			select {
			case <-m.Acked():
			case <-m.Nacked():
			default:
				t.Fatalf("message %d of %d is not settled", n, g)
			}
		}
	}
	if len(h.held) != 0 {
		t.Errorf("%d in hand", len(h.held))
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

// What taking a message in hand and letting go of it adds to the message itself.
func BenchmarkHand(b *testing.B) {
	h := newHand()
	m := message.NewMessage("0193c5a0-7c1e-7000-8000-000000000000", make([]byte, 64))
	m.Metadata.Set("symbol", "ES")
	b.ReportAllocs()
	for b.Loop() {
		d, _ := h.take(m)
		d.Receipt.(*receipt).release()
	}
}

// All of payload and metadata tell messages apart.
func TestHandMetadata(t *testing.T) {
	text := func(payload string, metadata message.Metadata) *message.Message {
		m := message.NewMessage("1", []byte(payload))
		m.Metadata = metadata
		return m
	}
	type all = message.Metadata
	different := []*message.Message{
		text("x", all{"a": "1", "b": "1"}), text("x", all{"a": "1", "b": "2"}), text("x", all{"a": "2", "b": "1"}), text("y", all{"a": "1", "b": "1"}),
		text("x", all{"ab": "c"}), text("x", all{"a": "bc"}), text("x", all{"bc": "a"}), text("x", all{"c": "ab"}),
		text("x", all{"ab": "d"}), text("x", nil), text("x", all{"": ""}),
	}
	h := newHand()
	for n, m := range different {
		if _, ok := h.take(m); !ok {
			t.Errorf("message %d is taken for a copy", n)
		}
	}
	for n, m := range different {
		for range 10 { // whatever the order of its metadata
			if _, ok := h.take(m.Copy()); ok {
				t.Errorf("the copy of message %d is not known", n)
			}
		}
	}
}

// A message is forgotten before it is acknowledged: what comes after that is a
// new one, and must not be settled as a copy.
func TestHandForgetsFirst(t *testing.T) {
	h := newHand()
	m := newMessage("a 1")
	d, _ := h.take(m)
	h.mu.Lock()
	done := make(chan bool)
	go func() { done <- d.Receipt.Ack() }()
	select {
	case <-m.Acked():
		t.Error("acknowledged while it is in hand")
	case <-time.After(10 * time.Millisecond):
	}
	h.mu.Unlock()
	<-done
}

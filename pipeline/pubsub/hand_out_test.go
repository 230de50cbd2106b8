package pubsub

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
)

// A message that is handed out is a copy: with all of the original, and a
// context that lives until it is settled, though that of the original has ended.
func TestHandOut(t *testing.T) {
	settle := map[string]func(*message.Message) bool{"ack": (*message.Message).Ack, "nack": (*message.Message).Nack}
	for name, settle := range settle {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBroker(1)
				sub := mustConflate(t, b, ConflateOptions{DrainTimeout: time.Nanosecond})
				out := mustSubscribe(t, t.Context(), sub)
				original := newMessage("a 1")
				original.Metadata.Set("more", "metadata")
				b.queue <- original
				m := <-out
				synctest.Wait()
				if m == original || !m.Equals(original) {
					t.Errorf("got %+v, want a copy of %+v", m, original)
				}
				ctx := m.Context()
				if original.Context().Err() == nil {
					t.Error("the broker is not as it was meant to be")
				}
				if ctx.Err() != nil || ctx.Value(topicKey{}) != "in" {
					t.Errorf("context: %v, value %v", ctx.Err(), ctx.Value(topicKey{}))
				}
				m.Metadata.Set("more", "changed")
				settle(m)
				synctest.Wait()
				if ctx.Err() == nil {
					t.Error("the context outlives the message")
				}
				if original.Metadata.Get("more") != "metadata" {
					t.Error("the metadata is shared")
				}
				sub.Close()
			})
		})
	}
}

func TestEntryOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		sub := mustConflate(t, b, ConflateOptions{})
		out := mustSubscribe(t, t.Context(), sub)
		b.send("x 1")
		m := <-out
		b.send("a 1", "a 2", "a 3")
		time.Sleep(5 * ms)
		m.Ack()
		m = <-out
		e, ok := EntryOf(m.Context())
		if !ok || e.Key != "a" || e.Merged != 2 || e.Wait() != 5*ms || e.Attempts != 1 {
			t.Errorf("entry %+v, %v", e, ok)
		}
		if got := m.Context().Value(uuidKey{}); got != "a 3" {
			t.Errorf("the context is that of %v, want of the newest", got)
		}
		m.Ack()
		sub.Close()
		if _, ok := EntryOf(context.Background()); ok {
			t.Error("an entry from nowhere")
		}
	})
}

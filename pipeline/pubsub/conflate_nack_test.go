package pubsub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

// A refused message comes again, after a back-off that grows: there is no hot
// loop. Each time it is a message of its own.
func TestConflateNackBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		sub := mustConflate(t, b, ConflateOptions{Backoff: pipeline.Backoff{First: 10 * ms, Max: 40 * ms}})
		out := mustSubscribe(t, t.Context(), sub)
		b.send("a 1")
		began := time.Now()
		for attempt, want := range []time.Duration{0, 10, 30, 70, 110, 150} {
			m := <-out
			if got := time.Since(began); got != want*ms {
				t.Errorf("attempt %d after %v, want %v", attempt+1, got, want*ms)
			}
			if e, ok := EntryOf(m.Context()); !ok || e.Attempts != attempt+1 || e.Key != "a" {
				t.Errorf("attempt %d: entry %+v", attempt+1, e)
			}
			m.Nack()
		}
		(<-out).Ack()
		sub.Close()
		b.check(t, "ack a 1")
	})
}

// A newer message that has come meanwhile wins over a refused one. It does not
// wait longer than that would have had to.
func TestConflateNackNewerWins(t *testing.T) {
	for name, after := range map[string]time.Duration{"before": 0, "during the back-off": 5 * ms} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBroker(1)
				sub := mustConflate(t, b, ConflateOptions{})
				out := mustSubscribe(t, t.Context(), sub)
				b.send("a 1")
				m := <-out
				if after == 0 {
					b.send("a 2")
					synctest.Wait()
				}
				began := time.Now()
				m.Nack()
				if after > 0 {
					time.Sleep(after)
					b.send("a 2")
				}
				m = <-out
				if got := time.Since(began); string(m.Payload) != "a 2" || got != 10*ms {
					t.Errorf("got %s after %v", m.Payload, got)
				}
				m.Ack()
				synctest.Wait()
				time.Sleep(time.Second)
				mustNotBe(t, out) // of the refused one nothing is left
				sub.Close()
			})
		})
	}
}

// What is refused does not hold up other keys.
func TestConflateNackHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		sub := mustConflate(t, b, ConflateOptions{})
		out := mustSubscribe(t, t.Context(), sub)
		b.send("a 1", "b 1")
		(<-out).Nack()
		synctest.Wait()
		mustBe(t, out, "b 1").Ack()
		if m := <-out; string(m.Payload) != "a 1" {
			t.Errorf("got %s", m.Payload)
		} else {
			m.Ack()
		}
		sub.Close()
	})
}

// After its last attempt a message goes to DeadLetter, and is acknowledged
// when that has returned.
func TestConflateDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(2)
		var dead []string
		sub := mustConflate(t, b, ConflateOptions{
			Acknowledge: pipeline.AckOnDone, Window: 2,
			Attempts: 2,
			DeadLetter: func(_ context.Context, e Entry, err error) {
				time.Sleep(ms)
				b.check(t)
				dead = append(dead, fmt.Sprint(e.Key, " ", string(e.Value.Payload), " ", e.Attempts, " ", errors.Is(err, ErrNacked)))
			},
		})
		out := mustSubscribe(t, t.Context(), sub)
		b.send("a 1")
		(<-out).Nack()
		(<-out).Nack()
		time.Sleep(2 * ms)
		b.check(t, "ack a 1")
		if want := []string{"a a 1 2 true"}; !slices.Equal(dead, want) {
			t.Errorf("dead %q, want %q", dead, want)
		}
		mustNotBe(t, out)
		sub.Close()
	})
}

// An older message that is delivered again loses against a newer one that
// waits or is in the hands of the consumer.
func TestConflateStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBroker(1)
		var dropped []string
		sub := mustConflate(t, b, ConflateOptions{Cache: cache.Options[string, wm]{
			Newer:  newer,
			OnDrop: func(e Entry, r cache.Reason) { dropped = append(dropped, fmt.Sprint(string(e.Value.Payload), " ", r)) },
		}})
		out := mustSubscribe(t, t.Context(), sub)
		b.send("a 5", "a 4", "a 6", "a 5")
		synctest.Wait()
		mustBe(t, out, "a 5").Ack()
		synctest.Wait()
		mustBe(t, out, "a 6").Ack()
		sub.Close()
		mustBeClosed(t, out)
		b.check(t, "ack a 5", "ack a 4", "ack a 6", "ack a 5")
		if want := []string{"a 4 stale", "a 5 stale"}; !slices.Equal(dropped, want) {
			t.Errorf("dropped %q, want %q", dropped, want)
		}
	})
}

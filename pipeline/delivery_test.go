package pipeline

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestDeliveryStamp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d Delivery[int]
		d.stamp()
		if !d.At.Equal(time.Now()) {
			t.Errorf("stamped %v, want now", d.At)
		}
		earlier := time.Now().Add(-time.Second)
		d.At = earlier
		d.stamp()
		if d.At != earlier {
			t.Errorf("stamped %v over the source's %v", d.At, earlier)
		}
	})
}

func TestDeliveryReceipt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		diary := newDiary()
		d := Delivery[int]{Receipt: slip{diary, "x"}}
		d.nack()
		diary.check(t, "0s nack x")
		none := Delivery[int]{}
		none.nack()
	})
}

// The time of arrival that a source gives is where the latencies start, and
// its sequence numbers reach the handler.
func TestDeliveryFromSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		deliveries := []Delivery[item]{
			{Value: item{"a", 1}, At: start.Add(-30 * ms), Sequence: 7},
			{Value: item{"a", 2}, At: start.Add(-10 * ms), Sequence: 9},
			{Value: item{"b", 1}, At: start.Add(-20 * ms)},
		}
		var got []entry
		c := Config[string, item]{Metronome: every} // so that a has been merged when it is read
		mustRun(t, c, yielding(deliveries...), func(_ handling, e entry) error {
			got = append(got, e)
			return nil
		})
		if len(got) != 2 {
			t.Fatalf("%d entries, want 2", len(got))
		}
		if e := got[0]; e.Key != "a" || e.Wait() != 30*ms || e.Age() != 10*ms || e.First != 7 || e.Last != 9 {
			t.Errorf("got %+v", e)
		}
		if e := got[1]; e.Key != "b" || e.Wait() != 20*ms || e.First != 0 {
			t.Errorf("got %+v", e)
		}
	})
}

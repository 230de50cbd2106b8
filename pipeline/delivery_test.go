package pipeline

import (
	"slices"
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

func TestDeliveryValues(t *testing.T) {
	for _, c := range []struct {
		delivery Delivery[int]
		want     []int
	}{
		{Delivery[int]{Value: 1}, []int{1}},
		{Delivery[int]{Batch: []int{2, 3}}, []int{2, 3}},
		{Delivery[int]{Value: 1, Batch: []int{}}, nil},
	} {
		if got := slices.Collect(c.delivery.Values()); !slices.Equal(got, c.want) {
			t.Errorf("%+v has %v, want %v", c.delivery, got, c.want)
		}
		if got := c.delivery.len(); got != len(c.want) {
			t.Errorf("%+v has %d values, want %d", c.delivery, got, len(c.want))
		}
	}
}

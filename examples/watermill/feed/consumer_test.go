package feed

import (
	"bytes"
	"testing"
)

// Only a symbol whose last price came, and came last, is right.
func TestConsumer(t *testing.T) {
	c := NewConsumer(Feed{Pubsub: "test", Symbols: 2, Prices: 3})
	handle := func(symbol string, price int) {
		if err := c.Handle(t.Context(), Quote{Symbol: symbol, Price: price}); err != nil {
			t.Error(err)
		}
	}
	handle("S1", 1)
	handle("S1", 3)
	handle("S2", 2)
	handle("S2", 1)
	want := Result{Pubsub: "test", Published: 6, Handled: 4, Stale: 1, Symbols: 2, FinalOK: 1}
	if got := c.Result(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	select {
	case <-c.All():
		t.Error("All is closed, but the last price of S2 has not been handled")
	default:
	}
	var out bytes.Buffer
	if err := c.Result().Print(&out, true); err == nil || err.Error() != "1 of 2 symbols did not end on their last price, and 1 quotes were stale" {
		t.Errorf("got error %v", err)
	}
	if want := `{"pubsub":"test","published":6,"handled":4,"stale":1,"symbols":2,"final_ok":1}` + "\n"; out.String() != want {
		t.Errorf("got %s, want %s", &out, want)
	}
	handle("S2", 3)
	<-c.All()
	want.Handled, want.FinalOK = 5, 2
	if got := c.Result(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

package feed

import (
	"testing"

	"github.com/ThreeDotsLabs/watermill/message"
)

func TestQuote(t *testing.T) {
	want := Quote{Symbol: `A"1`, Price: 7}
	m := want.Encode()
	if got, err := Decode(m); got != want || err != nil {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if got := m.Metadata.Get(SymbolKey); got != want.Key() {
		t.Errorf("metadata %q, want %q", got, want.Key())
	}
	if _, err := Decode(message.NewMessage("1", []byte("x"))); err == nil {
		t.Error("got no error for a message that is no quote")
	}
}

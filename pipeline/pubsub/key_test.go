package pubsub

import (
	"testing"

	"github.com/ThreeDotsLabs/watermill/message"
)

func TestMetadataKey(t *testing.T) {
	key := MetadataKey("symbol")
	m := message.NewMessage("1", nil)
	for _, value := range []string{"", "AAPL"} {
		m.Metadata.Set("symbol", value)
		got, err := key(m)
		if got != value || (err == nil) != (value != "") {
			t.Errorf("got %q, %v, want %q", got, err, value)
		}
	}
	if _, err := key(&message.Message{}); err == nil || err.Error() != `pubsub: no metadata "symbol"` {
		t.Errorf("got %v", err)
	}
}

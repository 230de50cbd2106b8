package pubsub

import (
	"fmt"

	"github.com/ThreeDotsLabs/watermill/message"
)

// MetadataKey returns a Key for Conflate that is the metadata of a name. A
// message without it, or where it is empty, is invalid.
func MetadataKey(name string) func(*message.Message) (string, error) {
	return func(m *message.Message) (string, error) {
		if key := m.Metadata.Get(name); key != "" {
			return key, nil
		}
		return "", fmt.Errorf("pubsub: no metadata %q", name)
	}
}

// keyKey is the key of the message's key in its context, so that Key is called
// once.
type keyKey struct{}

func keyOf(m *message.Message) string {
	key, _ := m.Context().Value(keyKey{}).(string)
	return key
}

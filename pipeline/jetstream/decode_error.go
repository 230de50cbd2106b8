package jetstream

import (
	"fmt"

	"github.com/headrace/headrace/pipeline"
	js "github.com/nats-io/nats.go/jetstream"
)

// DecodeError is the error of a message that could not be decoded. It wraps
// pipeline.ErrInvalid, so the producer counts it, acknowledges the message and
// goes on.
type DecodeError struct {
	Message js.Msg // the pipeline settles it
	Err     error  // of the decoder
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("jetstream: message of subject %q: %v", e.Message.Subject(), e.Err)
}

// Unwrap returns pipeline.ErrInvalid and the decoder's error.
func (e *DecodeError) Unwrap() []error { return []error{pipeline.ErrInvalid, e.Err} }

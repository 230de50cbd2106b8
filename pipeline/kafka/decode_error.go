package kafka

import (
	"fmt"

	"github.com/headrace/headrace/pipeline"
	"github.com/twmb/franz-go/pkg/kgo"
)

// DecodeError is the error of a record that could not be decoded. It wraps
// pipeline.ErrInvalid, so the producer counts it, acknowledges the record and
// goes on.
type DecodeError struct {
	Record *kgo.Record
	Err    error // of the decoder
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("kafka: record %d of partition %d of topic %q: %v", e.Record.Offset, e.Record.Partition, e.Record.Topic, e.Err)
}

// Unwrap returns pipeline.ErrInvalid and the decoder's error.
func (e *DecodeError) Unwrap() []error { return []error{pipeline.ErrInvalid, e.Err} }

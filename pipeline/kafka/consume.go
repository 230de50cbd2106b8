package kafka

import (
	"context"
	"iter"
	"runtime/debug"

	"github.com/headrace/headrace/pipeline"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Consume is a source of the records of topics, decoded. Each time that it is
// opened it joins the consumer group, and when it is closed it leaves it; so
// the goroutines of a producer with Parallel share the partitions.
//
// A delivery has the record's offset as its sequence, so the first record of a
// partition has none, and the size of its value.
// A record that decode refuses, or panics on, is acknowledged and passed over:
// the producer's OnInvalid gets a *DecodeError.
//
// The source ends with an error that the client does not mend by itself, such
// as a missing authorization. It does not end when brokers are away.
func Consume[T any](o Options, decode func(*kgo.Record) (T, error)) pipeline.Source[T] {
	o, err := o.withDefaults()
	memory := newMemory()
	return func(ctx context.Context) iter.Seq2[pipeline.Delivery[T], error] {
		return func(yield func(pipeline.Delivery[T], error) bool) {
			if err != nil {
				yield(pipeline.Delivery[T]{}, err)
				return
			}
			s, err := open(o, memory)
			if err != nil {
				yield(pipeline.Delivery[T]{}, err)
				return
			}
			defer s.close()
			for {
				r, k, err := s.next(ctx)
				if err != nil {
					yield(pipeline.Delivery[T]{}, err)
				}
				if r == nil || !yield(deliver(r, k, decode)) {
					return
				}
			}
		}
	}
}

func deliver[T any](r *receipt, k *kgo.Record, decode func(*kgo.Record) (T, error)) (pipeline.Delivery[T], error) {
	d := pipeline.Delivery[T]{Sequence: uint64(k.Offset), Bytes: int64(len(k.Value)), Receipt: r}
	var err error
	if d.Value, err = call(decode, k); err != nil {
		return d, &DecodeError{Record: k, Err: err}
	}
	return d, nil
}

// call turns a panic of decode into an error: it concerns this record only.
func call[T any](decode func(*kgo.Record) (T, error), k *kgo.Record) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &pipeline.PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return decode(k)
}

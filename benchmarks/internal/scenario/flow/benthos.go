package flow

import (
	"context"
	"log/slog"

	// The components that a stream needs.
	_ "github.com/redpanda-data/benthos/v4/public/components/pure"
	"github.com/redpanda-data/benthos/v4/public/service"
)

// benthosBatch is how many messages go through Benthos at a time.
const benthosBatch = 100

// throughBenthos is a Benthos stream: a native batch input, a native batch
// processor that maps and filters, and a batch consumer. It runs on one thread,
// which keeps the order.
func throughBenthos(ctx context.Context, f *feed, s *sink) error {
	builder, err := benthosBuilder(f)
	if err != nil {
		return err
	}
	err = builder.AddBatchConsumerFunc(func(_ context.Context, messages service.MessageBatch) error {
		for _, m := range messages {
			b, err := m.AsBytes()
			if err != nil {
				return err
			}
			q := fromPayload(b)
			s.take(&q)
		}
		f.arrived()
		return nil
	})
	if err != nil {
		return err
	}
	stream, err := builder.Build()
	if err != nil {
		return err
	}
	return stream.Run(ctx)
}

func benthosBuilder(f *feed) (*service.StreamBuilder, error) {
	env := service.NewEnvironment()
	err := env.RegisterBatchInput("feed", service.NewConfigSpec(),
		func(*service.ParsedConfig, *service.Resources) (service.BatchInput, error) {
			return benthosInput{f}, nil
		})
	if err != nil {
		return nil, err
	}
	err = env.RegisterBatchProcessor("price", service.NewConfigSpec(),
		func(*service.ParsedConfig, *service.Resources) (service.BatchProcessor, error) {
			return benthosPrice{}, nil
		})
	if err != nil {
		return nil, err
	}
	builder := env.NewStreamBuilder()
	builder.SetThreads(1)
	builder.SetLogger(slog.New(slog.DiscardHandler))
	if err := builder.SetMetricsYAML("none: {}"); err != nil {
		return nil, err
	}
	if err := builder.AddInputYAML("feed: {}"); err != nil {
		return nil, err
	}
	return builder, builder.AddProcessorYAML("price: {}")
}

// benthosInput is the feed as an input. Its batches need no acknowledgement.
type benthosInput struct{ feed *feed }

func (benthosInput) Connect(context.Context) error { return nil }
func (benthosInput) Close(context.Context) error   { return nil }

func (in benthosInput) ReadBatch(context.Context) (service.MessageBatch, service.AckFunc, error) {
	messages := make(service.MessageBatch, 0, benthosBatch)
	for len(messages) < benthosBatch {
		q, ok := in.feed.next()
		if !ok {
			break
		}
		messages = append(messages, service.NewMessage(payload(&q)))
	}
	if len(messages) == 0 {
		return nil, nil, service.ErrEndOfInput
	}
	return messages, func(context.Context, error) error { return nil }, nil
}

type benthosPrice struct{}

func (benthosPrice) Close(context.Context) error { return nil }

func (benthosPrice) ProcessBatch(_ context.Context, messages service.MessageBatch) ([]service.MessageBatch, error) {
	kept := make(service.MessageBatch, 0, len(messages))
	for _, m := range messages {
		b, err := m.AsBytes()
		if err != nil {
			return nil, err
		}
		if q := priced(fromPayload(b)); firm(q) {
			m.SetBytes(payload(&q))
			kept = append(kept, m)
		}
	}
	return []service.MessageBatch{kept}, nil
}

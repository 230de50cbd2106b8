// Package pubsub connects pipelines to Watermill: any Watermill subscriber is
// a source, and any publisher a handler.
//
//	source := pubsub.Subscribe(subscriber, "quotes", decode)
//	p.Produce(pipeline.Producer[Quote]{Name: "quotes", Source: source})
//	p.Consume(pubsub.Publish(publisher, "conflated", encode))
//
// A message is acknowledged when its value is in the cache. Nearly every
// Watermill subscriber hands out the next message only after the
// acknowledgement of the one before, so this is what lets values meet and merge
// in the cache. The price: what waits in the cache when the process crashes is
// lost. That is at most one entry for each key, as old as Stats.OldestAge says.
// A graceful stop loses nothing.
//
// Watermill's GoChannel reorders messages unless BlockPublishUntilSubscriberAck
// is set: without it the latest value may not be the last one published.
//
// To log what Watermill does to the pipeline's zerolog.Logger, give the
// subscriber watermill.NewSlogLogger(slog.New(zerolog.NewSlogHandler(log))).
package pubsub

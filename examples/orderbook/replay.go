package main

import (
	"context"
	"io"
	"iter"
	"maps"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/operators"
	"github.com/headrace/headrace/pipeline"
)

// replay runs the file through a pipeline, and returns what became of it.
func replay(ctx context.Context, o options, stderr io.Writer) (result, error) {
	p, err := pipeline.New(pipeline.Config[place, level]{
		Name:    "orderbook",
		Key:     level.key, // no merge is set: the latest size of a level counts
		Workers: o.workers,
	})
	if err != nil {
		return result{}, err
	}

	file := feed{path: o.file}
	built := newOrders()
	count := 0
	p.Produce(pipeline.Producer[level]{
		Name: "file",
		Source: pipeline.Via(paced(file.events, o.speed), func(in iter.Seq[event]) iter.Seq[level] {
			events := operators.Tap(in, func(event) { count++ })
			resting := operators.Filter(events, event.changesOrders)
			return operators.FlatMap(resting, built.apply)
		}),
	})

	rebuilt := newBook()
	p.Consume(func(ctx context.Context, e cache.Entry[place, level]) error {
		if err := wait(ctx, o.consume); err != nil {
			return err
		}
		rebuilt.set(e.Value)
		return nil
	})

	stop := reportProgress(stderr, p)
	err = p.Run(ctx)
	stop()
	if err != nil {
		return result{}, err
	}
	r := newResult(p.Stats(), rebuilt.depth, file.decimals)
	r.Events = count
	r.Matches = maps.Equal(built.depth, rebuilt.depth)
	return r, nil
}

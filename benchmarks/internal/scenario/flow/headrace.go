package flow

import (
	"context"
	"iter"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/operators"
	"github.com/headrace/headrace/pipeline"
)

// batch is how many quotes Headrace stamps, and takes out of the cache, at once.
const batch = 64

// throughPipeline is a pipeline built for speed: its source says which quotes it
// has at hand, as one can that reads them in batches, and its consumer takes
// them in batches.
func throughPipeline(ctx context.Context, f *feed, s *sink) error {
	return runPipeline(ctx, batched(f), func(p *pipeline.Pipeline[string, quote]) {
		p.ConsumeBatch(batch, func(_ context.Context, entries []cache.Entry[string, quote]) error {
			for i := range entries {
				s.merged += entries[i].Merged
				s.take(&entries[i].Value)
			}
			return nil
		})
	})
}

// throughPlainPipeline is the pipeline of the README: each quote is stamped and
// taken by itself.
func throughPlainPipeline(ctx context.Context, f *feed, s *sink) error {
	return runPipeline(ctx, pipeline.FromSeq(f.all()), func(p *pipeline.Pipeline[string, quote]) {
		p.Consume(func(_ context.Context, e cache.Entry[string, quote]) error {
			s.merged += e.Merged
			s.take(&e.Value)
			return nil
		})
	})
}

func runPipeline(ctx context.Context, source pipeline.Source[quote], consume func(*pipeline.Pipeline[string, quote])) error {
	p, err := pipeline.New(pipeline.Config[string, quote]{Key: symbolOf})
	if err != nil {
		return err
	}
	p.Produce(pipeline.Producer[quote]{Source: pipeline.Via(source, func(in iter.Seq[quote]) iter.Seq[quote] {
		return operators.Filter(operators.Map(in, priced), firm)
	})})
	consume(p)
	return p.Run(ctx)
}

// batched is the feed as a source that reads batches.
func batched(f *feed) pipeline.Source[quote] {
	return pipeline.FromBatches(func(context.Context) iter.Seq2[[]quote, error] {
		return func(yield func([]quote, error) bool) {
			quotes := make([]quote, 0, batch)
			for more := true; more; {
				quotes = quotes[:0]
				for more && len(quotes) < batch {
					var q quote
					if q, more = f.next(); more {
						quotes = append(quotes, q)
					}
				}
				more = yield(quotes, nil) && more
			}
		}
	})
}

package load

import (
	"context"
	"iter"

	"github.com/headrace/headrace/pipeline"
)

// deliveries is the feed as the source of a pipeline. It calls ended on the
// goroutine of the source, before the pipeline begins to drain.
func deliveries(f *feed, ended func()) pipeline.Source[quote] {
	return func(ctx context.Context) iter.Seq2[pipeline.Delivery[quote], error] {
		return func(yield func(pipeline.Delivery[quote], error) bool) {
			f.run(ctx, func(q quote) bool {
				return yield(pipeline.Delivery[quote]{Value: q, At: q.due}, nil)
			})
			ended()
		}
	}
}

package monitor

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
)

// every is the time between two frames of a pipeline.
const every = time.Second

// stream sends frames to one tab until it goes away. It is a pipeline itself:
// readings are taken at their pace, and a tab that is slow gets the latest
// frame of each pipeline when it comes round to reading. So nothing ever waits
// for it.
func (p *page) stream(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	tab, err := pipeline.New(pipeline.Config[int, frame]{
		Name: "monitor", Key: func(f frame) int { return f.ID },
		Attempts: 1, DrainTimeout: time.Second,
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	out := newEvents(ctx, w)
	defer out.close()
	tab.Produce(pipeline.Producer[frame]{Source: pipeline.FromFunc(p.frames)})
	tab.Consume(func(_ context.Context, e cache.Entry[int, frame]) error {
		e.Value.Skipped = e.Merged
		err := out.send(&e.Value)
		if err != nil {
			cancel()
		}
		return err
	})
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // by a proxy
	_ = tab.Run(ctx)
}

// frames takes readings of all pipelines until ctx ends.
func (p *page) frames(ctx context.Context) iter.Seq2[frame, error] {
	return func(yield func(frame, error) bool) {
		earlier := make([]pipeline.Stats, len(p.pipelines))
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for ctx.Err() == nil {
			for i, r := range read(p.pipelines, shown) {
				if !yield(newFrame(i, &r, earlier[i]), nil) {
					return
				}
				earlier[i] = r.stats
			}
			select {
			case <-ticker.C:
			case <-ctx.Done():
			}
		}
	}
}

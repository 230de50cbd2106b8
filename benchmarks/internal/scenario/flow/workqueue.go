package flow

import (
	"context"

	"k8s.io/client-go/util/workqueue"
)

// throughWorkqueue is two goroutines with client-go's queue between them. It
// holds keys, so the values are in a map beside it.
func throughWorkqueue(_ context.Context, f *feed, s *sink) error {
	queue := workqueue.NewTyped[string]()
	values := newBeside()
	go func() {
		for q := range f.all() {
			if q = priced(q); firm(q) {
				values.put(q)
				queue.Add(q.Symbol)
			}
		}
		queue.ShutDownWithDrain()
	}()
	for {
		key, over := queue.Get()
		if over {
			return nil
		}
		if q, ok := values.take(key); ok {
			s.take(&q)
		}
		queue.Done(key)
	}
}

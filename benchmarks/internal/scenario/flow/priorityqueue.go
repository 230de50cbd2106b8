package flow

import (
	"context"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// throughPriorityQueue is throughWorkqueue with controller-runtime's queue. Its
// shutdown does not drain, so it ends when the map beside it is empty.
func throughPriorityQueue(_ context.Context, f *feed, s *sink) error {
	queue := priorityqueue.New[string]("")
	stop := sync.OnceFunc(queue.ShutDown)
	values := newBeside()
	go func() {
		for q := range f.all() {
			if q = priced(q); firm(q) {
				values.put(q)
				queue.Add(q.Symbol)
			}
		}
		if values.end() {
			stop()
		}
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
		if values.over() {
			stop()
		}
	}
}

package core

import (
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// keyCycler drives the queues of Kubernetes. They hold keys only: a controller
// looks the value up elsewhere. Without a name they keep no metrics.
type keyCycler[Q workqueue.TypedInterface[string]] struct {
	recurring
	queue Q
}

func newWorkQueueCycler() cycler {
	return &keyCycler[*workqueue.Typed[string]]{newRecurring(), workqueue.NewTyped[string]()}
}

func newPriorityQueueCycler() cycler {
	return &keyCycler[priorityqueue.PriorityQueue[string]]{newRecurring(), priorityqueue.New[string]("")}
}

func (c *keyCycler[Q]) fill(n int) error {
	for range n {
		key, _ := c.next()
		c.queue.Add(key)
	}
	return nil
}

func (c *keyCycler[Q]) cycle(n int) error {
	for range n {
		key, _ := c.next()
		c.queue.Add(key)
		key, _ = c.queue.Get()
		if err := c.backKey(key); err != nil {
			return err
		}
		c.queue.Done(key)
	}
	return nil
}

func (c *keyCycler[Q]) stop() { c.queue.ShutDown() }

package jetstream

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/headrace/headrace/pipeline"
)

// region stands in for a producer region: it ranges over a source, and leaves
// it to the test to settle what comes.
type region struct {
	t      *testing.T
	items  chan item
	cancel context.CancelFunc
	ended  chan struct{}
}

type item struct {
	pipeline.Delivery[quote]
	err error
}

func (i item) String() string {
	if i.err != nil {
		return i.err.Error()
	}
	return fmt.Sprint(i.Value.key, " ", i.Value.n)
}

func open(t *testing.T, source pipeline.Source[quote]) *region {
	ctx, cancel := context.WithCancel(context.Background())
	r := &region{t: t, items: make(chan item), cancel: cancel, ended: make(chan struct{})}
	go func() {
		defer close(r.ended)
		for d, err := range source(ctx) {
			select {
			case r.items <- item{d, err}:
			case <-ctx.Done():
				if d.Receipt != nil {
					d.Receipt.Nack() // as a pipeline does with what is parked
				}
				return
			}
		}
	}()
	t.Cleanup(r.close)
	return r
}

func (r *region) close() {
	r.cancel()
	<-r.ended
}

// next returns what the source yields next.
func (r *region) next() item {
	r.t.Helper()
	select {
	case i := <-r.items:
		return i
	case <-r.ended:
		r.t.Fatal("the source has ended")
	case <-time.After(10 * time.Second):
		r.t.Fatal("nothing comes")
	}
	return item{}
}

// take expects deliveries of these values, in this order.
func (r *region) take(want ...string) []item {
	r.t.Helper()
	items := make([]item, len(want))
	for i := range want {
		items[i] = r.next()
		if got := items[i].String(); got != want[i] {
			r.t.Fatalf("delivery %d is %q, want %q", i, got, want[i])
		}
	}
	return items
}

// nothing expects that nothing comes for a while.
func (r *region) nothing(during time.Duration) {
	r.t.Helper()
	select {
	case i := <-r.items:
		r.t.Fatalf("got %v, want nothing", i)
	case <-r.ended:
		r.t.Fatal("the source has ended")
	case <-time.After(during):
	}
}

// end expects that the source ends by itself.
func (r *region) end() {
	r.t.Helper()
	select {
	case i := <-r.items:
		r.t.Fatalf("got %v, want the end", i)
	case <-r.ended:
	case <-time.After(10 * time.Second):
		r.t.Fatal("the source does not end")
	}
}

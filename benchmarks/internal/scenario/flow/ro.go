package flow

import (
	"context"

	"github.com/samber/ro"
)

// throughRo is the chain in samber/ro. ObserveOn puts the sink on a goroutine of
// its own, behind a queue of 256.
func throughRo(_ context.Context, f *feed, s *sink) error {
	source := ro.NewUnsafeObservable(func(destination ro.Observer[quote]) ro.Teardown {
		for q := range f.all() {
			destination.Next(q)
		}
		destination.Complete()
		return nil
	})
	chain := ro.Pipe3(source, ro.Map(priced), ro.Filter(firm), ro.ObserveOn[quote](256))
	ended := make(chan error, 1)
	subscription := chain.Subscribe(ro.NewObserver(
		func(q quote) { s.take(&q) },
		func(err error) { ended <- err },
		func() { ended <- nil },
	))
	defer subscription.Unsubscribe()
	return <-ended
}

package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/headrace/headrace/metronome"
	"github.com/headrace/headrace/pipeline"
)

// reportProgress writes a line to w every second, until the function that it
// returns is called.
func reportProgress(w io.Writer, p *pipeline.Pipeline[place, level]) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	start := p.Stats()
	var reporter sync.WaitGroup
	reporter.Go(func() { progress(ctx, w, p, start) })
	return func() {
		cancel()
		reporter.Wait()
	}
}

func progress(ctx context.Context, w io.Writer, p *pipeline.Pipeline[place, level], last pipeline.Stats) {
	beats, err := metronome.Beats(ctx, metronome.Options{Interval: time.Second})
	if err != nil {
		panic(err) // the interval is fine
	}
	for range beats {
		now := p.Stats()
		span := now.Since(last)
		fmt.Fprintf(w, "%4.0f s: %d updates (%.0f/s), %d emitted (%.0f/s), %d waiting, %.0f %% merged\n",
			now.Elapsed.Seconds(), now.Ledger.Puts, span.In(), now.Ledger.Done, span.Out(),
			now.Ledger.Waiting, 100*now.Conflation())
		last = now
	}
}

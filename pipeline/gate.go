package pipeline

import (
	"context"

	"github.com/headrace/headrace/governor"
)

// gate lets workers read at the pace of the metronome. A passing beat puts
// releases into it, and a free worker spends one for each entry. A release
// that nobody spends stays until the next passing beat, and does not add up.
//
// A nil gate is always open.
type gate struct {
	releases chan governor.Release
	opened   chan struct{} // closed when the pace no longer counts
}

func newGate(workers int) *gate {
	return &gate{releases: make(chan governor.Release, workers), opened: make(chan struct{})}
}

// wait returns a release, or true when none is needed. A select picks any of
// those that are ready, so what has precedence is asked first: when ctx has
// ended a worker must take nothing any more, and when the gate is open an old
// release would tell the governor of a wait that the drain has made.
func (g *gate) wait(ctx context.Context) (r governor.Release, open bool, err error) {
	if g == nil {
		return r, true, nil
	}
	if err := ctx.Err(); err != nil {
		return r, false, err
	}
	if g.isOpen() {
		return r, true, nil
	}
	select {
	case r = <-g.releases:
		return r, false, nil
	case <-g.opened:
		return r, true, nil
	case <-ctx.Done():
		return r, false, ctx.Err()
	}
}

func (g *gate) isOpen() bool {
	select {
	case <-g.opened:
		return true
	default:
		return false
	}
}

// unspent returns the number of releases that no worker has taken yet.
func (g *gate) unspent() int { return len(g.releases) }

// add puts a release in, for which there must be room: at most one for each
// worker is unspent. Only the metronome's goroutine adds.
func (g *gate) add(r governor.Release) { g.releases <- r }

// open lets everybody through from now on. It is called once.
func (g *gate) open() {
	if g != nil {
		close(g.opened)
	}
}

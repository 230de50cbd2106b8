package pipeline

import (
	"context"
	"sync"

	"github.com/headrace/headrace/governor"
)

// gate lets workers read at the pace of the metronome. A passing beat puts
// releases into it, and a free worker spends one for each entry. A release
// that nobody spends stays until the next passing beat, and does not add up.
// Beside the pace it lets workers through to entries that are overdue.
//
// A nil gate is always open.
type gate struct {
	releases chan governor.Release
	overdue  chan struct{}
	opened   chan struct{} // closed when the pace no longer counts
	once     sync.Once

	mu sync.Mutex // held by whoever adds releases
}

func newGate(size int) *gate {
	return &gate{
		releases: make(chan governor.Release, size),
		overdue:  make(chan struct{}, 1),
		opened:   make(chan struct{}),
	}
}

// way is how a worker came through the gate.
type way uint8

const (
	open    way = iota // no release is needed
	paced              // with a release
	overdue            // for an entry that is overdue
)

// wait lets a worker through, with a release if it is paced. A select picks any
// of those that are ready, so what has precedence is asked first: when ctx has
// ended a worker must take nothing any more, and when the gate is open an old
// release would tell the governor of a wait that the drain has made.
func (g *gate) wait(ctx context.Context, r *governor.Release) (way, error) {
	*r = governor.Release{}
	if g == nil {
		return open, nil
	}
	if err := ctx.Err(); err != nil {
		return open, err
	}
	if g.isOpen() {
		return open, nil
	}
	select {
	case *r = <-g.releases:
		return paced, nil
	case <-g.overdue:
		return overdue, nil
	case <-g.opened:
		return open, nil
	case <-ctx.Done():
		return open, ctx.Err()
	}
}

// tryWait is wait that does not: it reports whether the worker got through, by
// a release or since the gate is open. A worker that was woken by the first of
// several releases finds the others too, when they have all been put in.
func (g *gate) tryWait(r *governor.Release) bool {
	*r = governor.Release{}
	if g == nil || g.isOpen() {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case *r = <-g.releases:
		return true
	default:
		return false
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

// size returns the number of releases that can be unspent.
func (g *gate) size() int { return cap(g.releases) }

// add puts n releases in, as far as there is room.
func (g *gate) add(n int, release func(i int) governor.Release) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range min(n, g.size()-g.unspent()) {
		g.releases <- release(i)
	}
}

// addOverdue lets one worker through to what is overdue, if none is let already.
func (g *gate) addOverdue() {
	select {
	case g.overdue <- struct{}{}:
	default:
	}
}

// open lets everybody through from now on.
func (g *gate) open() {
	if g != nil {
		g.once.Do(func() { close(g.opened) })
	}
}

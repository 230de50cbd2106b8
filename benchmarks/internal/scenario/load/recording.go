package load

import (
	"errors"
	"path/filepath"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
	"github.com/headrace/headrace/benchmarks/internal/scenario/load/mbo"
)

const (
	syntheticSeed   = 1
	syntheticEvents = 70_000
)

var errNoStretch = errors.New("the file has no events after its first burst")

// recording is a recorded market, or one made up.
type recording struct {
	name string
	read *bench.Shared[read]
}

// read is what came of reading it.
type read struct {
	events []mbo.Event
	err    error
}

func (r recording) events() ([]mbo.Event, error) {
	all := r.read.Get()
	return all.events, all.err
}

func newRecording(o bench.Options) recording {
	if o.Replay == "" {
		return recording{"synthetic events", bench.NewShared(func() read {
			return read{events: mbo.Synthetic(syntheticSeed, syntheticEvents)}
		})}
	}
	return recording{filepath.Base(o.Replay), bench.NewShared(func() read {
		events, err := mbo.Read(o.Replay)
		return read{events, err}
	})}
}

// stretch is a part of a recording, and the book at its beginning.
type stretch struct {
	book   *mbo.Book
	events []mbo.Event
	levels int     // changes of levels that the events make
	speed  float64 // multiple of the recorded pace; 0 is as fast as possible
	onEnd  func()  // is called when all has been played
}

// busiest returns the busiest stretch that takes so long at a speed.
func (r recording) busiest(speed float64, length time.Duration) (stretch, error) {
	events, err := r.events()
	if err != nil {
		return stretch{}, err
	}
	from, to := mbo.Busiest(events, time.Duration(float64(length)*speed))
	if from == to {
		return stretch{}, errNoStretch
	}
	s := stretch{book: mbo.NewBook(), events: events[from:to], speed: speed}
	for _, e := range events[:from] {
		s.book.Apply(e)
	}
	s.levels = countLevels(s.book.Clone(), s.events)
	return s, nil
}

// all returns the whole recording, to be replayed as fast as possible.
func (r recording) all() (stretch, error) {
	events, err := r.events()
	if err != nil {
		return stretch{}, err
	}
	return stretch{book: mbo.NewBook(), events: events, levels: countLevels(mbo.NewBook(), events)}, nil
}

func countLevels(b *mbo.Book, events []mbo.Event) (levels int) {
	for _, e := range events {
		n, _ := b.Apply(e)
		levels += n
	}
	return levels
}

// arrival is a level that changed.
type arrival struct {
	level mbo.Level
	at    time.Time // when the event was due, or was read
}

func (a arrival) place() mbo.Place { return a.level.Place }

// play applies the events to the book, each when it is due, and yields the
// levels that changed.
func (s stretch) play(start time.Time, yield func(arrival) bool) {
	defer s.onEnd()
	for _, e := range s.events {
		at := s.await(start, e)
		n, changed := s.book.Apply(e)
		for _, l := range changed[:n] {
			if !yield(arrival{l, at}) {
				return
			}
		}
	}
}

// await waits until an event is due, and returns when it was.
func (s stretch) await(start time.Time, e mbo.Event) time.Time {
	if s.speed == 0 {
		return time.Now()
	}
	due := start.Add(time.Duration(float64(e.Received-s.events[0].Received) / s.speed))
	time.Sleep(time.Until(due))
	return due
}

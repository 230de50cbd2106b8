package cachetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing/synctest"
	"time"
)

// script is a case: what is done to a cache, and what it must show.
type script struct {
	name    string
	options Options
	play    func(p *player)
}

// player plays a case.
type player struct {
	Cache
	reporter
	name string
}

func (s script) run(r reporter, newCache func(Options) (Cache, error)) {
	c, err := newCache(s.options)
	if err != nil {
		r.Errorf("%s: new cache: %v", s.name, err)
		return
	}
	p := &player{c, r, s.name}
	s.play(p)
	if err := c.Ledger().Check(); err != nil {
		r.Errorf("%s: %v", s.name, err)
	}
	p.end()
}

// end lets the goroutines of a cache go: it closes and empties it.
func (p *player) end() {
	p.Close()
	time.Sleep(24 * time.Hour) // longer than any back-off
	for range 1000 {
		e, ok := p.TryTake()
		if !ok {
			break
		}
		p.Done(e)
	}
	synctest.Wait()
}

// want compares what is written out of the two.
func (p *player) want(what string, got, want any) {
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		p.Errorf("%s: %s: got %s, want %s", p.name, what, g, w)
	}
}

// is compares an error.
func (p *player) is(what string, err, want error) {
	if !errors.Is(err, want) {
		p.Errorf("%s: %s: error %v, want %v", p.name, what, err, want)
	}
}

// take takes without waiting; the zero Entry stands for none.
func (p *player) take() Entry {
	e, _ := p.TryTake()
	return e
}

// drain takes and ends all there is, and writes it out.
func (p *player) drain() string {
	var all []string
	for range 1000 {
		e, ok := p.TryTake()
		if !ok {
			break
		}
		all = append(all, write(e))
		p.Done(e)
	}
	return strings.Join(all, ", ")
}

func write(e Entry) string { return fmt.Sprintf("%v %s=%s", e.Op, e.Key, e.Value) }

// soon is a context that ends after an hour, which is at once in a bubble
// where everything else waits.
func soon() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), time.Hour)
}

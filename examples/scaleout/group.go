package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
)

// patience is how long the program and its workers wait for an answer.
const patience = 5 * time.Second

// group has the workers, and decides who owns which partition. In a program that
// runs on several machines this is what the consumer group of a broker does, or
// leases in a key-value store.
type group struct {
	options options
	conn    *nats.Conn
	broker  string // address
	out     *console
	stderr  io.Writer
	events  chan func() // what happens to the group, one at a time
	quit    chan struct{}
	ended   chan struct{} // closed when no more events are handled
	ready   chan struct{} // closed when every partition has an owner

	// what follows is used by events only
	members map[string]*member // that have joined
	owners  []string           // by partition; "" for nobody
	epoch   int
	moves   int
	failed  error // of a worker that ended by itself
}

// newGroup returns a group without workers. It must be stopped.
func newGroup(conn *nats.Conn, broker string, o options, out *console, stderr io.Writer) *group {
	g := &group{
		options: o, conn: conn, broker: broker, out: out, stderr: stderr,
		events: make(chan func()), quit: make(chan struct{}), ended: make(chan struct{}), ready: make(chan struct{}),
		members: make(map[string]*member), owners: make([]string, o.partitions),
	}
	go g.handle()
	return g
}

// handle handles events until the group is stopped. Partitions that nobody took
// are offered again.
func (g *group) handle() {
	defer close(g.ended)
	again := time.NewTicker(time.Second)
	defer again.Stop()
	started := false
	for {
		select {
		case event := <-g.events:
			event()
		case <-again.C:
		case <-g.quit:
			return
		}
		if started || len(g.members) == g.options.workers {
			g.rebalance()
		}
		if !started && !slices.Contains(g.owners, "") {
			started = true
			close(g.ready)
		}
	}
}

// post has an event handled, unless the group ends.
func (g *group) post(event func()) {
	select {
	case g.events <- event:
	case <-g.quit:
	}
}

// start starts all workers, and returns when every partition has an owner.
func (g *group) start() error {
	for i := range g.options.workers {
		if err := g.add(workerName(i)); err != nil {
			return err
		}
	}
	select {
	case <-g.ready:
		return nil
	case <-time.After(3 * patience):
		return errors.New("the workers do not start")
	}
}

// add starts a worker. It is in the group when it has joined. It may try that
// before start has returned.
func (g *group) add(name string) error {
	m := newMember(name)
	sub, err := serve(g.conn, joinSubject(name), func(struct{}) error {
		go g.join(m)
		return nil
	})
	if err != nil {
		return err
	}
	if err := m.start(g.broker, g.options, g.stderr); err != nil {
		sub.Unsubscribe()
		return err
	}
	go func() {
		<-m.gone
		sub.Unsubscribe()
		g.post(func() { g.leave(m) })
	}()
	return nil
}

// join takes a worker into the group, unless it is gone already.
func (g *group) join(m *member) {
	<-m.started
	g.post(func() {
		select {
		case <-m.gone:
		default:
			g.members[m.name] = m
		}
	})
}

// leave takes the partitions from a worker that is gone.
func (g *group) leave(m *member) {
	g.out.printf("%s is gone: %v", m.name, m.err)
	close(m.left)
	if !m.killed && g.failed == nil {
		g.failed = fmt.Errorf("%s has ended: %v", m.name, m.err)
	}
	delete(g.members, m.name)
	for p, owner := range g.owners {
		if owner == m.name {
			g.owners[p] = ""
		}
	}
}

// kill kills a worker, and returns when its partitions have been taken from it.
func (g *group) kill(name string) {
	killed := make(chan *member, 1)
	g.post(func() {
		m := g.members[name]
		if m != nil {
			g.out.printf("%s gets SIGKILL", name)
			m.killed = true
			m.cmd.Process.Kill()
		}
		killed <- m
	})
	select {
	case m := <-killed:
		if m != nil {
			<-m.left
		}
	case <-g.quit:
	}
}

// stop ends the group: from now on nothing moves, and the workers drain and end.
func (g *group) stop() error {
	close(g.quit)
	<-g.ended
	failed := g.failed
	for _, name := range slices.Sorted(maps.Keys(g.members)) {
		if err := g.members[name].stop(); err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", name, err)
		}
	}
	return failed
}

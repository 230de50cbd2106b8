package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// rebalance moves partitions to where they belong, all at the same time.
func (g *group) rebalance() {
	next := plan(g.owners, slices.Collect(maps.Keys(g.members)))
	if slices.Equal(next, g.owners) {
		return
	}
	var moving sync.WaitGroup
	for p, to := range next {
		from := g.owners[p]
		if from == to {
			continue
		}
		g.epoch++
		g.moves++
		l := lease{Partition: p, Epoch: g.epoch}
		moving.Go(func() { g.owners[p] = g.move(l, g.members[from], g.members[to]) })
	}
	moving.Wait()
	g.out.printf("%s", g.owns())
}

// move takes a partition from its owner, once that has drained it, and gives it
// to another. It returns the name of who has it then. Either may be nil.
func (g *group) move(l lease, from, to *member) string {
	if from != nil {
		if err := g.tell(from, releaseSubject(from.name), l); err != nil {
			g.out.printf("partition %d: %v", l.Partition, err)
			return from.name
		}
	}
	if to == nil {
		return ""
	}
	if err := g.tell(to, ownSubject(to.name), l); err != nil {
		g.out.printf("partition %d: %v", l.Partition, err)
		return "" // it is offered again
	}
	return to.name
}

// tell is a request to a worker, which may take as long as the worker lives.
func (g *group) tell(m *member, subject string, l lease) error {
	answer := make(chan error, 1)
	go func() { answer <- ask(g.conn, subject, l, time.Minute) }()
	select {
	case err := <-answer:
		return err
	case <-m.gone:
		return fmt.Errorf("%s is gone", m.name)
	}
}

// owns says who owns what.
func (g *group) owns() string {
	partitions := make(map[string][]string)
	for p, owner := range g.owners {
		partitions[owner] = append(partitions[owner], fmt.Sprint(p))
	}
	var b strings.Builder
	b.WriteString("owners")
	for _, name := range slices.Sorted(maps.Keys(partitions)) {
		fmt.Fprintf(&b, "  %s: %s", name, strings.Join(partitions[name], " "))
	}
	return b.String()
}

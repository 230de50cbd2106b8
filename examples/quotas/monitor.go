package main

import (
	"fmt"
	"io"
	"time"

	"github.com/headrace/headrace/governor/quota"
	"github.com/headrace/headrace/pipeline"
)

// monitor prints the table and keeps what the summary is made of.
type monitor struct {
	tenants   []*tenant
	producers int
	quotas    *quota.Quotas // nil without
	out       io.Writer

	time     time.Duration // of the samples below, since the start
	previous []sample      // a second ago
	phases   []phase
}

// phase is a time during which no limit changed. The second in which one does is
// part of none.
type phase struct {
	from, length time.Duration
	limits       []float64
	used         []used
}

func newMonitor(tenants []*tenant, out io.Writer) *monitor {
	m := &monitor{tenants: tenants, out: out}
	for _, t := range tenants {
		m.producers += t.producers
	}
	return m
}

// begin is told how the pipeline stands before the first second.
func (m *monitor) begin(now pipeline.Stats) {
	m.previous, m.time = m.samples(now), now.Elapsed
	m.openPhase()
	printHeading(m.out)
}

// second is told how the pipeline stands after each second.
func (m *monitor) second(now pipeline.Stats) {
	samples, elapsed := m.samples(now), now.Elapsed-m.time
	changed := false
	spent := make([]used, len(samples))
	for i, s := range samples {
		spent[i] = s.since(m.previous[i])
		changed = changed || s.usage.Limit != m.previous[i].usage.Limit
	}
	m.previous, m.time = samples, now.Elapsed
	if changed {
		m.openPhase()
	} else {
		m.phases[len(m.phases)-1].add(spent, elapsed)
	}
	for i, t := range m.tenants {
		m.line(i, t.name, spent[i], elapsed).print(m.out)
	}
}

func (m *monitor) openPhase() {
	p := phase{from: m.time, used: make([]used, len(m.tenants))}
	for _, s := range m.previous {
		p.limits = append(p.limits, s.usage.Limit)
	}
	m.phases = append(m.phases, p)
}

func (p *phase) add(spent []used, elapsed time.Duration) {
	p.length += elapsed
	for i, u := range spent {
		p.used[i] = p.used[i].add(u)
	}
}

// samples asks the quotas for each tenant by its identity: the answer is right
// wherever its quota may be set, and before its first charge too.
func (m *monitor) samples(now pipeline.Stats) []sample {
	all := make([]sample, len(m.tenants))
	for i, t := range m.tenants {
		all[i] = sample{readings: now.Producers[i].Admitted, busy: time.Duration(t.busy.Load())}
		if m.quotas != nil {
			id := quota.Identity{User: t.name, ClientID: client}
			all[i].usage = m.quotas.Describe(now.Time, id)[0]
		}
	}
	return all
}

// line is about the last second of a tenant. Only the first one tells the time.
func (m *monitor) line(i int, name string, u used, elapsed time.Duration) line {
	l := line{
		name:     name,
		readings: float64(u.readings) / elapsed.Seconds(), share: u.share(m.producers, elapsed),
		throttled: u.throttled, usage: m.previous[i].usage,
	}
	if i == 0 {
		l.clock = fmt.Sprintf("%.0fs", m.time.Seconds())
	}
	return l
}

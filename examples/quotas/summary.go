package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// summary is what a run amounted to.
type summary struct {
	Quotas    bool           `json:"quotas"`
	Producers int            `json:"producers"`
	Phases    []phaseSummary `json:"phases"` // a new one begins when a limit changes
}

type phaseSummary struct {
	From    float64         `json:"from_s"`
	Length  float64         `json:"length_s"`
	Tenants []tenantSummary `json:"tenants"`
}

type tenantSummary struct {
	User      string  `json:"user"`
	Limit     float64 `json:"limit_percent"` // 0 for none
	Share     float64 `json:"share_percent"` // of the time of all producers
	Readings  float64 `json:"readings_per_s"`
	Throttled uint64  `json:"throttled"`
	Delayed   float64 `json:"delayed_ms"` // sum of the delays that charges were answered with
	Waited    float64 `json:"waited_ms"`  // time that its gates were held up
}

// sumUp leaves out phases without a whole second.
func (m *monitor) sumUp() summary {
	s := summary{Quotas: m.quotas != nil, Producers: m.producers}
	for _, p := range m.phases {
		if p.length > 0 {
			s.Phases = append(s.Phases, m.sumUpPhase(p))
		}
	}
	return s
}

func (m *monitor) sumUpPhase(p phase) phaseSummary {
	s := phaseSummary{From: p.from.Round(time.Millisecond).Seconds(), Length: p.length.Round(time.Millisecond).Seconds()}
	for i, t := range m.tenants {
		u := p.used[i]
		s.Tenants = append(s.Tenants, tenantSummary{
			User: t.name, Limit: p.limits[i],
			Share:     u.share(m.producers, p.length),
			Readings:  float64(u.readings) / p.length.Seconds(),
			Throttled: u.throttled, Delayed: milliseconds(u.delayed), Waited: milliseconds(u.waited),
		})
	}
	return s
}

// print prints a table for each phase, and the JSON object below if asked to.
func (s summary) print(w io.Writer, asJSON bool) {
	for _, p := range s.Phases {
		fmt.Fprintf(w, "\n%.0fs from %.0fs on\n", p.Length, p.From)
		fmt.Fprintln(w, "tenant  quota  producer time  readings/s  throttled   delayed     waited")
		for _, t := range p.Tenants {
			limit := "none"
			if t.Limit > 0 {
				limit = fmt.Sprintf("%g %%", t.Limit)
			}
			fmt.Fprintf(w, "%-6s %6s %12.2f %% %11.0f %10d %7.0f ms %7.0f ms\n",
				t.User, limit, t.Share, t.Readings, t.Throttled, t.Delayed, t.Waited)
		}
	}
	if asJSON {
		line, _ := json.Marshal(s) // plain numbers: it cannot fail
		fmt.Fprintf(w, "%s\n", line)
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

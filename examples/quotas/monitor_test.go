package main

import (
	"io"
	"testing"
	"time"

	"github.com/headrace/headrace/governor/quota"
	"github.com/headrace/headrace/pipeline"
)

// A second in which a limit changes belongs to no phase.
func TestPhases(t *testing.T) {
	quotas, err := quota.New(quota.Options{Producers: 1})
	if err != nil {
		t.Fatal(err)
	}
	m := newMonitor([]*tenant{{name: "acme", producers: 1}}, io.Discard)
	m.quotas = quotas
	at := func(second int) pipeline.Stats {
		return pipeline.Stats{
			Time: time.Now(), Elapsed: time.Duration(second) * time.Second,
			Producers: []pipeline.ProducerStats{{Admitted: uint64(second * second)}},
		}
	}
	m.begin(at(0))
	m.second(at(1))
	m.second(at(2))
	if err := quotas.Alter(quota.Entity{User: quota.Named("acme")}, percent("5.0")); err != nil {
		t.Fatal(err)
	}
	m.second(at(3))
	m.second(at(4))
	s := m.sumUp()
	if len(s.Phases) != 2 {
		t.Fatalf("got %+v, want two phases", s)
	}
	for i, want := range []struct{ from, length, limit, readings float64 }{
		{0, 2, 0, 2}, // 4 readings in 2 s
		{3, 1, 5, 7}, // 16 - 9 in 1 s
	} {
		p := s.Phases[i]
		if p.From != want.from || p.Length != want.length || p.Tenants[0].Limit != want.limit || p.Tenants[0].Readings != want.readings {
			t.Errorf("phase %d: got %+v, want %+v", i, p, want)
		}
	}
}

package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// progress prints once a second what each worker did in that second, until ctx ends.
func (s *session) progress(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	before := s.sink.traffic()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		now := s.sink.traffic()
		s.out.printf("%s", rates(s.options.workers, before, now))
		before = now
	}
}

func rates(workers int, before, now map[string]traffic) string {
	var columns []string
	for i := range workers {
		name := workerName(i)
		columns = append(columns, fmt.Sprintf("%s %5d in %5d out", name,
			now[name].Received-before[name].Received, now[name].Written-before[name].Written))
	}
	return strings.Join(columns, "   ")
}

func workerName(i int) string { return fmt.Sprint("w", i+1) }

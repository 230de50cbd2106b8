package main

import (
	"encoding/json"
	"fmt"
	"io"
)

// summary is what a run amounted to.
type summary struct {
	Produced    int                `json:"produced"`
	Keys        int                `json:"keys"`
	FinalOK     int                `json:"final_ok"`
	Lost        int                `json:"lost"`
	Stale       int                `json:"stale"`
	Redelivered int                `json:"redelivered"`
	Workers     int                `json:"workers"`
	Repeated    int                `json:"repeated"`
	Written     int                `json:"written"`
	Moves       int                `json:"moves"`
	Traffic     map[string]traffic `json:"traffic"`
}

// sumUp compares what was published with the sink. It is for after the end.
func (s *session) sumUp() summary {
	sum := summary{
		Produced: s.feed.produced, Workers: s.options.workers, Moves: s.group.moves,
		Stale: s.sink.stale, Redelivered: s.sink.redelivered, Repeated: s.sink.repeated,
		Traffic: s.sink.traffic(),
	}
	for i, version := range s.feed.versions {
		if version == 0 {
			continue
		}
		sum.Keys++
		if s.sink.has(symbol(i), version) {
			sum.FinalOK++
		}
	}
	sum.Lost = sum.Keys - sum.FinalOK
	for _, t := range sum.Traffic {
		sum.Written += t.Written
	}
	return sum
}

// right reports whether nothing was lost and the order held.
func (s summary) right() bool { return s.FinalOK == s.Keys && s.Stale == 0 }

// print prints the summary, and as JSON below if asked to.
func (s summary) print(w io.Writer, asJSON bool) {
	fmt.Fprintf(w, "\n%d quotes of %d symbols were published, %d entries written by %d workers.\n",
		s.Produced, s.Keys, s.Written, s.Workers)
	fmt.Fprintf(w, "The last quote of %d symbols arrived, and of %d did not. Stale: %d.\n", s.FinalOK, s.Lost, s.Stale)
	fmt.Fprintf(w, "%d messages were delivered again, and %d entries written again. Partitions were given out %d times.\n",
		s.Redelivered, s.Repeated, s.Moves)
	if asJSON {
		line, _ := json.Marshal(s) // plain numbers: it cannot fail
		fmt.Fprintf(w, "%s\n", line)
	}
}

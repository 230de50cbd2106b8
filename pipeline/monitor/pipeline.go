package monitor

import (
	"fmt"

	"github.com/headrace/headrace/pipeline"
)

// Pipeline is what a monitor asks of a pipeline. A *pipeline.Pipeline of any
// key and value type is one. Both methods may be called at any time, from
// several goroutines.
type Pipeline interface {
	Stats() pipeline.Stats
	Observe(keys int) pipeline.Observation
}

// reading is what there is to know of a pipeline at one instant.
type reading struct {
	name  string
	stats pipeline.Stats
	seen  pipeline.Observation
}

// names makes the names of pipelines unique: the second "quotes" is "quotes-2".
func names(all []pipeline.Stats) []string {
	taken := make(map[string]bool)
	unique := make([]string, len(all))
	for i, s := range all {
		name := s.Name
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s-%d", s.Name, n)
		}
		taken[name] = true
		unique[i] = name
	}
	return unique
}

// read reads all pipelines, with up to the given number of hottest keys each.
func read(pipelines []Pipeline, keys int) []reading {
	stats := make([]pipeline.Stats, len(pipelines))
	for i, p := range pipelines {
		stats[i] = p.Stats()
	}
	readings := make([]reading, len(pipelines))
	for i, name := range names(stats) {
		readings[i] = reading{name, stats[i], pipelines[i].Observe(keys)}
	}
	return readings
}

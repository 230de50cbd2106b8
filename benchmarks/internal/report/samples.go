package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// WriteSamples writes one line for each figure of each measurement, under a
// header.
func (r Report) WriteSamples(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"scenario", "case", "side", "run", "place", "metric", "unit", "value"})
	for _, result := range r.Results {
		for _, side := range result.Sides {
			writeSide(c, result, side)
		}
	}
	c.Flush()
	return c.Error() // of all that was written
}

func writeSide(c *csv.Writer, r bench.Result, side bench.SideResult) {
	for _, m := range side.Measured {
		for _, metric := range r.Metrics {
			v, ok := m.Sample[metric.Name]
			if !ok {
				continue
			}
			c.Write([]string{
				r.Scenario, r.Name, side.Name, strconv.Itoa(m.Run), strconv.Itoa(m.Place),
				metric.Name, metric.Unit, strconv.FormatFloat(v, 'g', -1, 64),
			})
		}
	}
}

package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// WriteBars writes one line for each row of the table, under a header. The kind
// of a row is bar, goal or figure, which is neither.
func (r Report) WriteBars(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"scenario", "case", "metric", "unit", "side", "rival", "figure", "rival figure",
		"ratio", "first quartile", "third quartile", "kind", "sign", "limit", "verdict", "error", "source"})
	for _, row := range r.Rows {
		c.Write(record(row))
	}
	c.Flush()
	return c.Error() // of all that was written
}

func record(row bench.Row) []string {
	kind, sign, limit, source := "figure", "", "", ""
	if b := row.Bar; b != nil {
		kind, sign, limit, source = "bar", b.Sign(), exact(b.Limit()), b.Source
		if b.Goal {
			kind = "goal"
		}
	}
	return []string{
		row.Scenario, row.Case, row.Metric.Name, row.Metric.Unit, row.Side, row.Rival,
		medianOf(row.Figure), medianOf(row.RivalFigure),
		medianOf(row.Ratio), known(row.Ratio, row.Ratio.Low), known(row.Ratio, row.Ratio.High),
		kind, sign, limit, string(row.Verdict), row.Error, source,
	}
}

func medianOf(s bench.Stat) string { return known(s, s.Median) }

// known returns a figure of s, nothing if there is none.
func known(s bench.Stat, v float64) string {
	if s.N == 0 {
		return ""
	}
	return exact(v)
}

func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

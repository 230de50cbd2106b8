package report

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// WriteTable writes the rows, with colours if asked for, and what is to be known
// about them.
func (r Report) WriteTable(w io.Writer, colours bool) error {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.Style().Options.DrawBorder = false
	t.AppendHeader(table.Row{"", "figure", "rival", "ratio (quartiles)", "bar", "holds"})
	t.SetColumnConfigs([]table.ColumnConfig{
		{Number: 2, Align: text.AlignRight},
		{Number: 3, Align: text.AlignRight},
	})
	last := ""
	for _, row := range r.Rows {
		if title := row.Scenario + ": " + row.Case; title != last {
			appendTitle(t, title)
			last = title
		}
		t.AppendRow(table.Row{
			text.WrapSoft(what(row), 44), figureOf(row.Figure, row.Metric.Unit), figureOf(row.RivalFigure, row.Metric.Unit),
			ratioOf(row.Ratio), barOf(row), verdict(row, colours),
		})
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n%s\n%s\n", t.Render(), r.Machine, r.Noise(), r.Summary())
	return err
}

// appendTitle appends a line over all columns.
func appendTitle(t table.Writer, title string) {
	row := make(table.Row, 6)
	for i := range row {
		row[i] = title
	}
	t.AppendSeparator()
	t.AppendRow(row, table.RowConfig{AutoMerge: true, AutoMergeAlign: text.AlignLeft})
	t.AppendSeparator()
}

// verdict returns the last column.
func verdict(row bench.Row, colours bool) string {
	s := string(row.Verdict)
	if row.Error != "" {
		s += ": " + row.Error
	}
	s = text.WrapSoft(s, 32)
	if !colours || s == "" {
		return s
	}
	colour := text.FgRed
	switch row.Verdict {
	case bench.Holds:
		colour = text.FgGreen
	case bench.HoldsNoisy, bench.Missing:
		colour = text.FgYellow
	}
	return text.Colors{colour}.Sprint(s)
}

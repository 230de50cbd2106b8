package report

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// WriteTable writes the rows that have a bar or a goal or that failed, and those
// of the first metric of each case, with colours if asked for, and what is to be
// known about them. It writes all rows if asked for, or if none of them has a bar
// or a goal.
func (r Report) WriteTable(w io.Writer, all, colours bool) error {
	rows := r.Rows
	if !all {
		rows = r.main()
	}
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.Style().Options.DrawBorder = false
	t.AppendHeader(table.Row{"", "figure", "rival", "ratio (quartiles)", "bar or goal", "verdict"})
	t.SetColumnConfigs([]table.ColumnConfig{
		{Number: 2, Align: text.AlignRight},
		{Number: 3, Align: text.AlignRight},
	})
	last := ""
	for i, row := range rows {
		if title := row.Scenario + ": " + row.Case; title != last {
			appendTitle(t, title)
			last = title
		}
		cells := table.Row{"", "", "", "", barOf(row), verdict(row, colours)}
		if i == 0 || !row.SameFigure(rows[i-1]) { // else it is a guard below its goal
			cells[0] = text.WrapSoft(what(row), 44)
			cells[1], cells[2] = figureOf(row.Figure, row.Metric.Unit), figureOf(row.RivalFigure, row.Metric.Unit)
			cells[3] = ratioOf(row.Ratio)
		}
		t.AppendRow(cells)
	}
	if _, err := fmt.Fprintln(w, t.Render()); err != nil {
		return err
	}
	if n := len(r.Rows) - len(rows); n > 0 {
		if _, err := fmt.Fprintf(w, "Not shown: %d rows of other figures without a bar or a goal. -all prints them.\n", n); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n%s\n", r.Machine, r.Noise(), r.Summary())
	return err
}

// main returns the rows with a verdict and those of what a case is about, which
// must not be left out where no bar praises it. It returns all rows if none has a
// verdict.
func (r Report) main() []bench.Row {
	type key struct{ scenario, name string }
	first := make(map[key]string)
	for _, result := range r.Results {
		first[key{result.Scenario, result.Name}] = result.Metrics[0].Name
	}
	var some []bench.Row
	judged := false
	for _, row := range r.Rows {
		judged = judged || row.Verdict != ""
		if row.Verdict != "" || row.Metric.Name == first[key{row.Scenario, row.Case}] {
			some = append(some, row)
		}
	}
	if !judged {
		return r.Rows
	}
	return some
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
	case bench.Holds, bench.Reached:
		colour = text.FgGreen
	case bench.HoldsNoisy, bench.Missing:
		colour = text.FgYellow
	case bench.Unreached:
		colour = text.FgBlue
	}
	return text.Colors{colour}.Sprint(s)
}

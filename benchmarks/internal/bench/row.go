package bench

import "slices"

// Row is a line of the table: a figure, next to that of a rival from the same
// runs, next to the bar.
type Row struct {
	Scenario string `json:"scenario"`
	Case     string `json:"case"`
	Metric   Metric `json:"metric"` // empty in a row that says that a side failed
	Side     string `json:"side"`
	Rival    string `json:"rival,omitempty"` // empty if there is none

	Figure      Stat      `json:"figure"`
	RivalFigure Stat      `json:"rival_figure"`
	Ratio       Stat      `json:"ratio"`  // of side to rival
	Ratios      []float64 `json:"ratios"` // in the order of the runs
	Bar         *Bar      `json:"bar"`    // or goal; a bar is loosened by the margin; nil if there is none
	Verdict     Verdict   `json:"verdict"`
	Error       string    `json:"error,omitempty"`
}

// IsGoal reports whether the row has a goal rather than a bar.
func (row Row) IsGoal() bool { return row.Bar != nil && row.Bar.Goal }

// SameFigure reports whether two rows are about the same figure of the same case,
// as those of a goal and its guard are.
func (row Row) SameFigure(other Row) bool {
	return row.Scenario == other.Scenario && row.Case == other.Case &&
		row.Metric.Name == other.Metric.Name && row.Side == other.Side && row.Rival == other.Rival
}

// Rows returns the rows of the results: for each case first its bars, each made
// easier by margin, then the first side against each other one in what no bar
// covers and is not zero for both, then the sides that failed.
func Rows(results []Result, margin float64) []Row {
	var rows []Row
	for _, r := range results {
		rows = append(rows, r.rows(margin)...)
	}
	return rows
}

func (r Result) rows(margin float64) []Row {
	var rows []Row
	for _, b := range r.Bars {
		row := r.row(b.Metric, r.Side(b.Side), b.Rival)
		b = b.Loosen(margin)
		row.Bar = &b
		row.Verdict, row.Error = r.judge(row)
		rows = append(rows, row)
	}
	for _, row := range r.plain() {
		if row.says() && !slices.ContainsFunc(rows, row.isCoveredBy) {
			rows = append(rows, row)
		}
	}
	for _, s := range r.Sides {
		if s.Error != "" {
			rows = append(rows, Row{Scenario: r.Scenario, Case: r.Name, Side: s.Name, Verdict: Failed, Error: s.Error})
		}
	}
	return rows
}

// plain returns a row without a bar for each metric and each side but the first.
func (r Result) plain() []Row {
	var rows []Row
	first := r.Sides[0]
	for _, m := range r.Metrics {
		alone := true
		for _, rival := range r.Sides[1:] {
			row := r.row(m.Name, first, rival.Name)
			switch {
			case row.RivalFigure.N == 0:
				continue
			case row.Figure.N == 0: // only the other one knows this metric
				row = r.row(m.Name, rival, "")
			}
			rows = append(rows, row)
			alone = false
		}
		if alone {
			rows = append(rows, r.row(m.Name, first, ""))
		}
	}
	return rows
}

// says reports whether there is a figure, and one that is not zero on both sides.
func (row Row) says() bool {
	bothZero := row.Figure.Max == 0 && row.Rival != "" && row.RivalFigure.Max == 0
	return row.Figure.N > 0 && !bothZero
}

// isCoveredBy reports whether other says what row says.
func (row Row) isCoveredBy(other Row) bool {
	return row.Metric.Name == other.Metric.Name && row.Side == other.Side &&
		(row.Rival == other.Rival || row.Rival == "")
}

// row returns the row of a metric, without a bar.
func (r Result) row(metric string, side SideResult, rival string) Row {
	row := Row{
		Scenario: r.Scenario,
		Case:     r.Name,
		Metric:   r.Metric(metric),
		Side:     side.Name,
		Rival:    rival,
		Figure:   NewStat(side.Figures(metric)),
	}
	if rival == "" {
		return row
	}
	other := r.Side(rival)
	row.RivalFigure = NewStat(other.Figures(metric))
	for _, m := range side.Measured {
		v, ok := m.Sample[metric]
		w, also := other.figure(metric, m.Run)
		if ok && also && w != 0 {
			row.Ratios = append(row.Ratios, v/w)
		}
	}
	row.Ratio = NewStat(row.Ratios)
	return row
}

package bench

import "fmt"

// Verdict says whether a bar holds, or a goal is reached.
type Verdict string

// The verdicts. A row without a bar has an empty one, unless its side failed.
const (
	Holds      Verdict = "holds"
	HoldsNoisy Verdict = "holds (noisy)" // in the median, not between the quartiles
	Misses     Verdict = "does not hold" // in the median
	Reached    Verdict = "reached"       // a goal, in the median
	Unreached  Verdict = "not reached"   // a goal, in the median
	Failed     Verdict = "failed"        // a side returned an error or no such figure
	Missing    Verdict = "not measured"  // it was interrupted before
)

// IsGood reports whether the bar holds in the median.
func (v Verdict) IsGood() bool { return v == Holds || v == HoldsNoisy }

// Guard reports whether all rows are as they should be: every bar holds in the
// median, and no side failed. A goal has no say, whatever became of it.
func Guard(rows []Row) bool {
	for _, row := range rows {
		if row.Verdict != "" && !row.IsGoal() && !row.Verdict.IsGood() {
			return false
		}
	}
	return true
}

// judge returns the verdict about a row with a bar, and why it failed.
func (r Result) judge(row Row) (Verdict, string) {
	for _, name := range []string{row.Side, row.Rival} {
		if name == "" {
			continue
		}
		side := r.Side(name)
		if side.Error != "" {
			return Failed, fmt.Sprintf("%s failed", name)
		}
		if len(side.Measured) > 0 && len(side.Figures(row.Metric.Name)) == 0 {
			return Failed, fmt.Sprintf("%s measured no %s", name, row.Metric.Name)
		}
	}
	stat := row.Figure
	if row.Rival != "" {
		stat = row.Ratio
		if stat.N == 0 && row.RivalFigure.N > 0 && row.Figure.N > 0 {
			return Failed, fmt.Sprintf("the %s of %s is 0, so there is no ratio", row.Metric.Name, row.Rival)
		}
	}
	switch b := row.Bar; {
	case stat.N == 0:
		return Missing, ""
	case b.Goal && b.Holds(stat.Median):
		return Reached, ""
	case b.Goal:
		return Unreached, ""
	case !b.Holds(stat.Median):
		return Misses, ""
	case !b.Holds(stat.Low) || !b.Holds(stat.High):
		return HoldsNoisy, ""
	}
	return Holds, ""
}

package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// what returns what a row is about: "put, Headrace against map + mutex".
func what(row bench.Row) string {
	parts := []string{row.Side}
	if row.Metric.Name != "" {
		parts = []string{row.Metric.Name, row.Side}
	}
	s := strings.Join(parts, ", ")
	if row.Rival != "" {
		s += " against " + row.Rival
	}
	return s
}

// figureOf returns the median, empty if there is none.
func figureOf(s bench.Stat, unit string) string {
	if s.N == 0 {
		return ""
	}
	return Figure(s.Median, unit)
}

// ratioOf returns the median and the quartiles: "0.87 (0.85 to 0.91)".
func ratioOf(s bench.Stat) string {
	switch {
	case s.N == 0:
		return ""
	case s.N == 1:
		return digits(s.Median)
	}
	return fmt.Sprintf("%s (%s to %s)", digits(s.Median), digits(s.Low), digits(s.High))
}

// barOf returns the bar of a row: "<= 0.8", or with a unit "<= 300 ns/op" if it
// bounds the figure itself. A goal is "goal <= 0.8".
func barOf(row bench.Row) string {
	b := row.Bar
	if b == nil {
		return ""
	}
	s := b.Sign()
	if b.Goal {
		s = "goal " + s
	}
	if unit := row.Metric.Unit; b.Rival != "" || unit == "" || unit == "ratio" {
		return s + " " + strconv.FormatFloat(b.Limit(), 'g', 4, 64)
	}
	return s + " " + Figure(b.Limit(), row.Metric.Unit)
}

// counts are how many bars came out how, and how many goals. What failed is
// counted with the bars even if no bar needs it.
type counts struct{ Bars, Good, Noisy, Misses, Failed, Missing, Goals, Reached int }

func count(rows []bench.Row) counts {
	var c counts
	for _, row := range rows {
		if row.IsGoal() {
			c.Goals++
			if row.Verdict == bench.Reached {
				c.Reached++
			}
			continue
		}
		if row.Bar != nil {
			c.Bars++
		}
		switch row.Verdict {
		case bench.Holds:
			c.Good++
		case bench.HoldsNoisy:
			c.Noisy++
		case bench.Misses:
			c.Misses++
		case bench.Failed:
			c.Failed++
		case bench.Missing:
			c.Missing++
		}
	}
	return c
}

// Summary returns how many bars hold, and how many goals are reached, in one
// sentence.
func (r Report) Summary() string {
	c := count(r.Rows)
	s := fmt.Sprintf("%d of %d bars hold", c.Good+c.Noisy, c.Bars)
	for _, part := range []struct {
		n    int
		word string
	}{{c.Noisy, "of these noisy"}, {c.Misses, "missed"}, {c.Missing, "not measured"}, {c.Failed, "failed"}} {
		if part.n > 0 {
			s += fmt.Sprintf(", %d %s", part.n, part.word)
		}
	}
	if r.Options.Margin > 1 {
		s += fmt.Sprintf("; they were made easier by a factor of %s", digits(r.Options.Margin))
	}
	if c.Goals > 0 {
		s += fmt.Sprintf("; goals: %d of %d reached", c.Reached, c.Goals)
	}
	return s + "."
}

// Noise returns how far the ratios of the runs were apart, where they count, in
// one sentence.
func (r Report) Noise() string {
	var spreads []float64
	var worst bench.Row
	for _, row := range r.Rows {
		if row.Ratio.N < 2 || row.Bar == nil {
			continue
		}
		spreads = append(spreads, row.Ratio.Spread())
		if row.Ratio.Spread() >= worst.Ratio.Spread() {
			worst = row
		}
	}
	if len(spreads) == 0 {
		return "Too little was measured to say how noisy it is."
	}
	s := bench.NewStat(spreads)
	return fmt.Sprintf("Noise: between its quartiles a ratio with a bar varies by %.0f %% of its median in the middle row, and by %.0f %% in the worst (%s: %s, %s).",
		100*s.Median, 100*s.Max, worst.Scenario, worst.Case, what(worst))
}

package report

import (
	"html/template"
	"strconv"
	"strings"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// page is what the template shows.
type page struct {
	Report
	Counts    counts
	Took      string
	Scenarios []scenario
}

type scenario struct {
	Name  string
	Cases []caseView
}

type caseView struct {
	ID string
	bench.Result
	Rows   []bench.Row
	Charts []chartView
}

type chartView struct {
	Metric bench.Metric
	Label  string // the chart in words
	SVG    template.HTML
	Bar    bool // it has a mark for a bar
	Goal   bool // it has a mark for a goal
	Sides  []sideStat
}

type sideStat struct {
	Name string
	bench.Stat
}

func newPage(r Report) (page, error) {
	p := page{Report: r, Counts: count(r.Rows)}
	p.Took = time.Duration(r.Seconds * float64(time.Second)).Round(time.Second).String()
	for i, result := range r.Results {
		c, err := newCase(result, "case-"+strconv.Itoa(i+1), r.Rows)
		if err != nil {
			return p, err
		}
		if n := len(p.Scenarios); n == 0 || p.Scenarios[n-1].Name != result.Scenario {
			p.Scenarios = append(p.Scenarios, scenario{Name: result.Scenario})
		}
		s := &p.Scenarios[len(p.Scenarios)-1]
		s.Cases = append(s.Cases, c)
	}
	return p, nil
}

func newCase(r bench.Result, id string, rows []bench.Row) (caseView, error) {
	c := caseView{ID: id, Result: r}
	for _, row := range rows {
		if row.Scenario == r.Scenario && row.Case == r.Name {
			c.Rows = append(c.Rows, row)
		}
	}
	for _, m := range r.Metrics {
		v := chartView{Metric: m}
		var bars []bar
		var words []string
		for _, s := range r.Sides {
			stat := bench.NewStat(s.Figures(m.Name))
			if stat.N == 0 {
				continue
			}
			v.Sides = append(v.Sides, sideStat{s.Name, stat})
			b := bar{name: s.Name, own: r.IsOwn(s.Name), stat: stat}
			b.bar, b.goal = marks(c.Rows, m.Name, s.Name)
			v.Bar, v.Goal = v.Bar || b.bar > 0, v.Goal || b.goal > 0
			bars = append(bars, b)
			words = append(words, s.Name+" "+Figure(stat.Median, m.Unit))
		}
		if len(bars) == 0 {
			continue
		}
		var err error
		if v.SVG, err = chart(bars, m.Unit); err != nil {
			return c, err
		}
		v.Label = strings.Join(words, ", ")
		c.Charts = append(c.Charts, v)
	}
	return c, nil
}

// marks returns the figures that the bars for the metric ask of a side, and its
// goals: the hardest of each, 0 if there is none.
func marks(rows []bench.Row, metric, side string) (bar, goal float64) {
	for _, row := range rows {
		if row.Bar == nil || row.Metric.Name != metric || row.Side != side {
			continue
		}
		limit := row.Bar.Limit()
		if row.Rival != "" {
			limit *= row.RivalFigure.Median
		}
		mark := &bar
		if row.IsGoal() {
			mark = &goal
		}
		switch {
		case *mark == 0:
			*mark = limit
		case row.Bar.Sign() == "<=":
			*mark = min(*mark, limit)
		default:
			*mark = max(*mark, limit)
		}
	}
	return bar, goal
}

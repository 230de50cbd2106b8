package bench

import (
	"fmt"
	"slices"
	"testing"
)

// measured is a result of the sides a, b and c with these figures of put, by
// run; a has read too.
func measured(a, b, c []float64) Result {
	r := newResult(fake("one"))
	r.Metrics = append(r.Metrics, Metric{Name: "read", Unit: "ns/op", Less: true})
	r.Sides = append(r.Sides, SideResult{Name: "c"})
	for i, figures := range [][]float64{a, b, c} {
		for run, v := range figures {
			s := Sample{"put": v}
			if i == 0 {
				s["read"] = v / 10
			}
			r.Sides[i].Measured = append(r.Sides[i].Measured, Measurement{Run: run + 1, Sample: s})
		}
	}
	return r
}

// TestRatioWithinRuns checks that a ratio is the median of the runs' ratios, not
// the ratio of the medians.
func TestRatioWithinRuns(t *testing.T) {
	r := measured([]float64{10, 40, 30}, []float64{10, 80, 10}, nil)
	r.Bars = []Bar{{Metric: "put", Rival: "b", AtMost: 1}}
	row := Rows([]Result{r}, 1)[0]
	if want := []float64{1, 0.5, 3}; !slices.Equal(row.Ratios, want) {
		t.Errorf("ratios: got %v, want %v", row.Ratios, want)
	}
	if row.Figure.Median != 30 || row.RivalFigure.Median != 10 || row.Ratio.Median != 1 {
		t.Errorf("medians: got %v, %v and %v, want 30, 10 and 1", row.Figure.Median, row.RivalFigure.Median, row.Ratio.Median)
	}
}

// TestRatioSkipsRuns checks that a run in which one side is missing has no ratio.
func TestRatioSkipsRuns(t *testing.T) {
	r := measured([]float64{10, 20, 30}, []float64{10, 10, 10}, nil)
	r.Sides[1].Measured = slices.Delete(r.Sides[1].Measured, 1, 2)
	row := Rows([]Result{r}, 1)[0]
	if want := []float64{1, 3}; !slices.Equal(row.Ratios, want) {
		t.Errorf("got %v, want %v", row.Ratios, want)
	}
}

// TestRows checks which rows there are: bars, then what no bar covers, then the
// sides that failed.
func TestRows(t *testing.T) {
	r := measured([]float64{10}, []float64{20}, []float64{5})
	r.Bars = []Bar{{Metric: "put", Rival: "b", AtMost: 0.8}, {Metric: "read", AtMost: 2}}
	r.Sides = append(r.Sides, SideResult{Name: "d", Error: "run 1: lost 3"})
	var got []string
	for _, row := range Rows([]Result{r}, 1) {
		got = append(got, fmt.Sprint(row.Metric.Name, " ", row.Side, "/", row.Rival, " ", row.Ratio.Median, " ", row.Verdict, row.Error))
	}
	want := []string{
		"put a/b 0.5 holds",
		"read a/ 0 holds",
		"put a/c 2 ",
		" d/ 0 failedrun 1: lost 3",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestRowsOfZeroes checks that what is zero on both sides has no row.
func TestRowsOfZeroes(t *testing.T) {
	r := measured([]float64{0}, []float64{0}, []float64{1})
	for _, row := range Rows([]Result{r}, 1) {
		if row.Rival == "b" {
			t.Errorf("got %+v", row)
		}
	}
}

// TestRowsOfRivalAlone checks that a metric which only a rival knows is shown.
func TestRowsOfRivalAlone(t *testing.T) {
	r := measured([]float64{10}, []float64{20}, nil)
	r.Metrics = append(r.Metrics, Metric{Name: "dropped"})
	r.Sides[1].Measured[0].Sample["dropped"] = 99
	rows := Rows([]Result{r}, 1)
	last := rows[len(rows)-1]
	if last.Metric.Name != "dropped" || last.Side != "b" || last.Figure.Median != 99 {
		t.Errorf("got %+v", last)
	}
}

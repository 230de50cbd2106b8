package report

import (
	"html/template"
	"math"
	"strings"

	"github.com/go-analyze/charts"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// A chart is drawn in the width of a phone, and grows with the place it has.
const (
	chartWidth = 340
	sideHeight = 42 // a line of text and a bar
	textLine   = 14 // from the top of a side to the base of its text
	barTop     = 21
	barHeight  = 10
	fontSize   = 9.5 // points
)

// The colours of a chart are stand-ins, which inked replaces by variables of the
// page, so that one chart serves light and dark.
var (
	inkText  = charts.ColorRGB(1, 0, 0)
	inkValue = charts.ColorRGB(2, 0, 0)
	inkOwn   = charts.ColorRGB(3, 0, 0)
	inkRival = charts.ColorRGB(4, 0, 0)
	inkRange = charts.ColorRGB(5, 0, 0)
	inkBar   = charts.ColorRGB(6, 0, 0)
	inkGoal  = charts.ColorRGB(7, 0, 0)
	inkTrack = charts.ColorRGB(8, 0, 0)
)

var inked = strings.NewReplacer(
	inkText.String(), "var(--text)",
	inkValue.String(), "var(--text);text-anchor:end;font-weight:600",
	inkOwn.String(), "var(--own)",
	inkRival.String(), "var(--rival)",
	inkRange.String(), "var(--text)",
	inkBar.String(), "var(--bar)",
	inkGoal.String(), "var(--goal)",
	inkTrack.String(), "var(--track)",
	`xmlns="http://www.w3.org/2000/svg" `, "", // HTML needs no names of namespaces
	`xmlns:xlink="http://www.w3.org/1999/xlink" `, "",
	"font-family:'Roboto Medium',", "font-family:system-ui,",
	"font-family:'Roboto',", "font-family:system-ui,",
)

// bar is what a chart shows of a side.
type bar struct {
	name string
	own  bool // Headrace or a variant of it
	stat bench.Stat
	bar  float64 // to reach; 0 if there is none
	goal float64 // the same of a goal
}

// chart draws a bar for each side: its median, a line between the quartiles,
// and marks where the bar and the goal of the case are.
func chart(bars []bar, unit string) (template.HTML, error) {
	p := charts.NewPainter(charts.PainterOptions{
		OutputFormat: charts.ChartOutputSVG,
		Width:        chartWidth,
		Height:       sideHeight*len(bars) - 6,
	})
	top := 0.0
	for _, b := range bars {
		top = max(top, b.stat.High, b.bar, b.goal)
	}
	for i, b := range bars {
		drawBar(p, i*sideHeight, b, top, unit)
	}
	svg, err := p.Bytes()
	return template.HTML(inked.Replace(string(svg))), err
}

func drawBar(p *charts.Painter, y int, b bar, top float64, unit string) {
	x := func(v float64) int {
		if top <= 0 || v <= 0 {
			return 0
		}
		return min(chartWidth, int(math.Round(v/top*chartWidth)))
	}
	value := Figure(b.stat.Median, unit)
	p.Text(clip(b.name, 46-len(value)), 0, y+textLine, 0, charts.FontStyle{FontSize: fontSize, FontColor: inkText})
	p.Text(value, chartWidth, y+textLine, 0, charts.FontStyle{FontSize: fontSize, FontColor: inkValue})

	ink := inkRival
	if b.own {
		ink = inkOwn
	}
	y += barTop
	rect := func(x1, x2, y1, y2 int, ink charts.Color) {
		p.FilledRect(x1, y1, x2, y2, ink, charts.ColorTransparent, 0)
	}
	rect(0, chartWidth, y, y+barHeight, inkTrack)
	rect(0, max(2, x(b.stat.Median)), y, y+barHeight, ink)
	if b.stat.N > 1 {
		middle := y + barHeight/2
		rect(x(b.stat.Low), max(x(b.stat.High), x(b.stat.Low)+1), middle-1, middle+1, inkRange)
	}
	mark := func(v float64, ink charts.Color) {
		if v > 0 {
			at := min(x(v), chartWidth-2)
			rect(at, at+2, y-4, y+barHeight+4, ink)
		}
	}
	mark(b.goal, inkGoal)
	mark(b.bar, inkBar)
}

// clip shortens s to n characters.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

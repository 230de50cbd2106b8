package report

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS string
)

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"css":    func() template.CSS { return template.CSS(pageCSS) },
	"what":   what,
	"figure": figureOf,
	"exact":  Figure,
	"ratio":  ratioOf,
	"digits": digits,
	"bar":    barOf,
	"class":  class,
}).Parse(pageHTML))

// WriteHTML writes the report as a page that loads nothing.
func (r Report) WriteHTML(w io.Writer) error {
	p, err := newPage(r)
	if err != nil {
		return err
	}
	return pageTemplate.Execute(w, p)
}

// class returns the class of a verdict on the page.
func class(v bench.Verdict) string {
	switch v {
	case "":
		return "none"
	case bench.Holds, bench.Reached:
		return "good"
	case bench.HoldsNoisy, bench.Missing:
		return "noisy"
	case bench.Unreached:
		return "goal"
	}
	return "bad"
}

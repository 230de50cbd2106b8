package monitor_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/pipeline"
	"github.com/headrace/headrace/pipeline/monitor"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// words is a pipeline that has processed four words.
func words() *pipeline.Pipeline[string, string] {
	p, err := pipeline.New(pipeline.Config[string, string]{
		Name: "words",
		Key:  func(s string) string { return s },
		Op:   func(string) cache.Op { return cache.Append }, // none is merged away
	})
	if err != nil {
		panic(err)
	}
	p.Produce(pipeline.Producer[string]{Name: "list", Source: pipeline.FromSeq(slices.Values([]string{"a", "b", "a", "c"}))})
	p.Consume(func(context.Context, cache.Entry[string, string]) error { return nil })
	if err := p.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	return p
}

// get returns what a handler answers to a request for a path.
func get(h http.Handler, path string) (int, string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

// The page and the metrics of a program, side by side.
func Example() {
	p := words()
	registry := prometheus.NewRegistry()
	registry.MustRegister(monitor.NewCollector(p))

	mux := http.NewServeMux()
	mux.Handle("/headrace/", monitor.Handler(p))
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))

	status, page := get(mux, "/headrace/")
	fmt.Println(status, strings.Contains(page, "<title>Headrace</title>"))
	_, metrics := get(mux, "/metrics")
	for line := range strings.Lines(metrics) {
		if strings.HasPrefix(line, "headrace_done_total") {
			fmt.Print(line)
		}
	}
	// Output:
	// 200 true
	// headrace_done_total{pipeline="words"} 4
}

// Everything that the page needs comes from the handler.
func ExampleHandler() {
	h := monitor.Handler(words())
	for _, path := range []string{"/", "/page.js", "/uPlot.iife.min.js", "/elsewhere"} {
		status, _ := get(h, path)
		fmt.Println(path, status)
	}
	// Output:
	// / 200
	// /page.js 200
	// /uPlot.iife.min.js 200
	// /elsewhere 404
}

// All pipelines of a program go into one collector, whatever their types.
func ExampleNewCollector() {
	registry := prometheus.NewRegistry()
	registry.MustRegister(monitor.NewCollector(words(), words()))
	families, err := registry.Gather()
	if err != nil {
		fmt.Println(err)
	}
	for _, f := range families {
		if f.GetName() == "headrace_puts_total" {
			for _, m := range f.Metric {
				fmt.Println(m.Label[0].GetValue(), m.GetCounter().GetValue())
			}
		}
	}
	// Output:
	// words 4
	// words-2 4
}

func ExampleCollector() {
	var collector prometheus.Collector = monitor.NewCollector(words())
	fmt.Println(prometheus.NewRegistry().Register(collector))
	// Output: <nil>
}

func ExampleCollector_Describe() {
	descriptions := make(chan *prometheus.Desc, 100)
	monitor.NewCollector().Describe(descriptions)
	fmt.Println(strings.Contains((<-descriptions).String(), `"headrace_puts_total"`))
	// Output: true
}

func ExampleCollector_Collect() {
	samples := make(chan prometheus.Metric, 100)
	monitor.NewCollector(words()).Collect(samples)
	fmt.Println(strings.Contains((<-samples).Desc().String(), `"headrace_puts_total"`))
	// Output: true
}

// A test can monitor what is no pipeline at all.
func ExamplePipeline() {
	var p monitor.Pipeline = words()
	fmt.Println(p.Stats().Name, "running:", p.Observe(0).Running)
	// Output: words running: false
}

package bench_test

import (
	"context"
	"fmt"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/bench"
)

// A case of two sides, measured in three runs.
func Example() {
	side := func(name string, ns float64) bench.Side {
		return bench.Side{Name: name, Measure: func(ctx context.Context, about time.Duration) (bench.Sample, error) {
			return bench.Sample{"put": ns}, nil
		}}
	}
	cases := []bench.Case{{
		Scenario: "merge",
		Name:     "1,000 keys",
		Metrics:  []bench.Metric{{Name: "put", Unit: "ns/op", Less: true}},
		Sides:    []bench.Side{side("Headrace", 30), side("map", 25)},
		Bars:     []bench.Bar{{Metric: "put", Rival: "map", AtMost: 1.1}},
	}}
	if err := bench.Validate(cases); err != nil {
		fmt.Println(err)
		return
	}
	results, err := bench.Runner{Runs: 3, About: time.Millisecond}.Run(context.Background(), cases)
	if err != nil {
		fmt.Println(err)
	}
	for _, margin := range []float64{1, 1.5} {
		rows := bench.Rows(results, margin)
		for _, row := range rows {
			fmt.Printf("%.2f %s %.2f: %s\n", row.Ratio.Median, row.Bar.Sign(), row.Bar.Limit(), row.Verdict)
		}
		fmt.Println("all is well:", bench.Guard(rows))
	}
	// Output:
	// 1.20 <= 1.10: does not hold
	// all is well: false
	// 1.20 <= 1.65: holds
	// all is well: true
}

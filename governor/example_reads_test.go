package governor_test

import (
	"fmt"
	"time"

	"github.com/headrace/headrace/governor"
)

// Four workers need 2 ms for each entry, and a hundred entries always wait. The
// pass of each tenth beat reads one entry at first, and then as many as workers
// are free.
func ExampleGovernor_Reads() {
	g, err := governor.New(time.Millisecond, false, governor.Options{
		High:     20 * time.Millisecond,
		Parallel: 4,
		MaxReads: 4,
		OnDecision: func(d governor.Decision) {
			fmt.Printf("%v: %d -> %d\n", d.Reason, d.ReadsFrom, d.ReadsTo)
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Unix(0, 0)
	for range 12 {
		now = now.Add(10 * time.Millisecond)
		for range g.Beat(now, 10, 100) {
			w := g.Start(now, governor.Release{At: now, Beat: true})
			g.Done(now.Add(2*time.Millisecond), w)
		}
	}
	fmt.Println("reads a pass:", g.Reads())
	// Output:
	// more reads: 1 -> 2
	// more reads: 2 -> 3
	// at base: 3 -> 3
	// more reads: 3 -> 4
	// at base: 4 -> 4
	// at max reads: 4 -> 4
	// reads a pass: 4
}

// Two entries an hour do not have to wait for a beat that comes once a minute.
func ExampleGovernor_Eager() {
	g, err := governor.New(time.Minute, false, governor.Options{High: time.Hour, Base: 1, Eager: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	start := time.Unix(0, 0)
	for _, minutes := range []float64{0.25, 30.5, 30.75} {
		now := start.Add(time.Duration(minutes * float64(time.Minute)))
		reads := g.Eager(now)
		fmt.Println(now.Sub(start), reads)
		if reads > 0 {
			w := g.Start(now, governor.Release{At: now}) // not released by a beat
			g.Done(now.Add(time.Second), w)
		}
	}
	fmt.Println(g.Beat(start.Add(31*time.Minute), 1, 1)) // for the third
	// Output:
	// 15s 1
	// 30m30s 1
	// 30m45s 0
	// 1
}

func ExampleGovernor_Braked() {
	g, _ := governor.New(time.Millisecond, true, governor.Options{High: 10 * time.Millisecond, Parallel: 1})
	start := time.Unix(0, 0)
	w := g.Start(start, governor.Release{At: start, Beat: true})
	fmt.Println(g.Braked(start.Add(4 * time.Millisecond)))
	fmt.Println(g.Braked(start.Add(6 * time.Millisecond))) // Brake is High/2
	g.Done(start.Add(7*time.Millisecond), w)
	fmt.Println(g.Braked(start.Add(7 * time.Millisecond)))
	// Output:
	// false
	// true
	// false
}

// One entry in five takes ten times as long as the others. Their mean is below
// High, their maximum and their 0.9 quantile are not.
func ExampleSignal() {
	for _, signal := range []governor.Signal{governor.Mean, governor.Maximum, 0.9} {
		g, err := governor.New(time.Millisecond, false, governor.Options{
			High:   30 * time.Millisecond,
			Window: 10,
			Signal: signal,
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		now := time.Unix(0, 0)
		for i := range 10 {
			latency := 5 * time.Millisecond
			if i%5 == 0 {
				latency = 50 * time.Millisecond
			}
			w := g.Start(now, governor.Release{At: now, Queued: true, Beat: true})
			g.Done(now.Add(latency), w)
		}
		d := g.Decisions()[0]
		fmt.Println(d.Signal, d.Reason)
	}
	_, err := governor.New(time.Millisecond, false, governor.Options{High: time.Second, Signal: 0.99})
	fmt.Println(err)
	// Output:
	// 14ms hold
	// 50ms slower
	// 50ms slower
	// governor: invalid options: Signal 0.99 needs a Window of at least 100, got 2
}

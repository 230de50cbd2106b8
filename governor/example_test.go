package governor_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/headrace/headrace/governor"
)

// A consumer with one worker needs 50 ms for each entry, a beat comes each
// millisecond, and at first one of ten passes.
func Example() {
	g, err := governor.New(time.Millisecond, false, governor.Options{High: 20 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Unix(0, 0)
	var work governor.Work
	var busyUntil, released time.Time
	busy, waiting, queued := false, false, false
	for range 10_000 {
		now = now.Add(time.Millisecond)
		if busy && !now.Before(busyUntil) {
			g.Done(now, work)
			busy = false
		}
		if g.Beat(now, 1, 1) > 0 && !waiting {
			waiting, released, queued = true, now, busy
		}
		if waiting && !busy {
			work = g.Start(now, governor.Release{At: released, Queued: queued, Beat: true})
			waiting, busy, busyUntil = false, true, now.Add(50*time.Millisecond)
		}
	}
	d := g.Divisor()
	fmt.Println("about one entry each 50 beats:", d >= 48 && d <= 53)
	// Output: about one entry each 50 beats: true
}

func ExampleNew() {
	_, err := governor.New(time.Millisecond, false, governor.Options{
		High: 5 * time.Millisecond,
		Low:  7 * time.Millisecond,
	})
	fmt.Println(err)
	fmt.Println(errors.Is(err, governor.ErrOptions))
	// Output:
	// governor: invalid options: Low must be below High (5ms), got 7ms
	// true
}

func ExampleOptions_Enabled() {
	fmt.Println(governor.Options{}.Enabled())
	fmt.Println(governor.Options{High: 50 * time.Millisecond}.Enabled())
	// Output:
	// false
	// true
}

func ExampleGovernor_Beat() {
	g, _ := governor.New(time.Millisecond, false, governor.Options{High: 50 * time.Millisecond, Base: 4})
	start := time.Unix(0, 0)
	for beat := 1; beat <= 8; beat++ {
		fmt.Print(g.Beat(start.Add(time.Duration(beat)*time.Millisecond), 1, 0), " ")
	}
	fmt.Println(g.Beat(start.Add(16*time.Millisecond), 8, 0)) // seven were missed
	// Output: 0 0 0 1 0 0 0 1 2
}

// The steps back to Base are taken while nobody counts the beats.
func ExampleGovernor_Sleep() {
	g, start := slowed()
	fmt.Println(g.Divisor())
	g.Sleep(start.Add(time.Hour), 3_600_000)
	fmt.Println(g.Divisor())
	// Output:
	// 12
	// 10
}

func ExampleGovernor_Start() {
	g, _ := governor.New(time.Millisecond, true, governor.Options{High: 10 * time.Millisecond, Parallel: 1})
	start := time.Unix(0, 0)
	w := g.Start(start, governor.Release{At: start, Beat: true})
	fmt.Println(g.Stats(start).InFlight)
	g.Done(start.Add(time.Millisecond), w)
	fmt.Println(g.Stats(start.Add(time.Millisecond)).InFlight)
	// Output:
	// 1
	// 0
}

// The brake holds a pass back until the consumer has caught up.
func ExampleGovernor_Done() {
	g, _ := governor.New(time.Millisecond, true, governor.Options{High: 10 * time.Millisecond, Parallel: 1})
	start := time.Unix(0, 0)
	w := g.Start(start, governor.Release{At: start, Beat: true})
	fmt.Println(g.Beat(start.Add(10*time.Millisecond), 10, 0))
	fmt.Println(g.Stats(start.Add(10 * time.Millisecond)).Owed)
	fmt.Println(g.Done(start.Add(11*time.Millisecond), w))
	// Output:
	// 0
	// true
	// 1
}

func ExampleGovernor_Divisor() {
	g, _ := governor.New(time.Millisecond, false, governor.Options{High: 50 * time.Millisecond, Base: 5})
	fmt.Println(g.Divisor())
	// Output: 5
}

func ExampleGovernor_Decisions() {
	g, _ := slowed()
	for _, d := range g.Decisions() {
		fmt.Printf("%d -> %d, %v: %v of %d samples, %d queued, High %v\n",
			d.From, d.To, d.Reason, d.Signal, d.Samples, d.Queued, d.High)
	}
	// Output:
	// 10 -> 11, slower: 60ms of 2 samples, 2 queued, High 20ms
	// 11 -> 12, slower: 60ms of 2 samples, 2 queued, High 20ms
}

func ExampleGovernor_Stats() {
	g, start := slowed()
	s := g.Stats(start.Add(121 * time.Millisecond))
	fmt.Println(s.Divisor, s.InFlight, s.Stuck, s.Braked, s.Owed, s.AtMax, s.Braking)
	s = g.Stats(start.Add(time.Second)) // it has been idle since
	fmt.Println(s.Divisor, s.InFlight, s.Stuck, s.Braked, s.Owed, s.AtMax, s.Braking)
	// Output:
	// 12 0 0 false false 1ms 0s
	// 10 0 0 false false 2ms 0s
}

func ExampleDecision() {
	g, err := governor.New(time.Millisecond, false, governor.Options{
		High:   20 * time.Millisecond,
		Window: 1,
		OnDecision: func(d governor.Decision) {
			fmt.Printf("%v: %d -> %d, braked %v\n", d.Reason, d.From, d.To, d.Braked)
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	start := time.Unix(0, 0)
	w := g.Start(start, governor.Release{At: start, Queued: true, Beat: true})
	g.Done(start.Add(30*time.Millisecond), w)
	// Output: slower: 10 -> 11, braked false
}

func ExampleReason() {
	fmt.Println(governor.Slower, governor.Faster, governor.Idle, governor.Probe)
	fmt.Println(governor.Hold, "/", governor.NoQueue, "/", governor.AtMax, "/", governor.AtBase)
	fmt.Println(governor.MoreReads, "/", governor.FewerReads, "/", governor.AtMaxReads)
	// Output:
	// slower faster idle probe
	// hold / no queue / at max / at base
	// more reads / fewer reads / at max reads
}

// slowed returns a governor with Max 12 that four queued entries of 60 ms have
// brought there, two at a time, and the start of its time.
func slowed() (*governor.Governor, time.Time) {
	g, err := governor.New(time.Millisecond, false, governor.Options{High: 20 * time.Millisecond, Max: 12})
	if err != nil {
		panic(err)
	}
	start := time.Unix(0, 0)
	for i := range 2 {
		at := start.Add(time.Duration(i) * 60 * time.Millisecond)
		r := governor.Release{At: at, Queued: true, Beat: true}
		first, second := g.Start(at, r), g.Start(at, r)
		g.Done(at.Add(60*time.Millisecond), first)
		g.Done(at.Add(60*time.Millisecond), second)
	}
	return g, start
}

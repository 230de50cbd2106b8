package metronome_test

import (
	"context"
	"fmt"
	"time"

	"github.com/headrace/headrace/metronome"
)

// A caller that adds the missed beats keeps the rate, however late the timers
// of the machine are.
func Example() {
	beats, err := metronome.Beats(context.Background(), metronome.Options{
		Interval: time.Millisecond,
		Limit:    10,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var last, reads uint64
	for beat := range beats {
		last = beat.Sequence
		reads += 1 + beat.Missed
	}
	fmt.Println("last beat:", last)
	fmt.Println("reads:", reads)
	// Output:
	// last beat: 10
	// reads: 10
}

// A slow body is followed by one beat, which says how many were missed.
func ExampleBeats() {
	beats, err := metronome.Beats(context.Background(), metronome.Options{
		Interval: time.Microsecond,
		Limit:    1000,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for beat := range beats {
		if beat.Sequence < 1000 {
			time.Sleep(2 * time.Millisecond) // 2000 intervals
			continue
		}
		fmt.Println("beat", beat.Sequence)
	}
	// Output: beat 1000
}

// Aligned beats fall on multiples of the interval since the Unix epoch.
func ExampleOptions() {
	o := metronome.Options{Interval: 3 * time.Millisecond, Align: true, Limit: 2}
	beats, err := metronome.Beats(context.Background(), o)
	if err != nil {
		fmt.Println(err)
		return
	}
	var off int64
	for beat := range beats {
		off += beat.Time.UnixNano() % int64(o.Interval)
	}
	fmt.Println("off the grid by", off)
	// Output: off the grid by 0
}

// Time is when the beat was due, so the time since then is its lateness.
func ExampleBeat() {
	beats, err := metronome.Beats(context.Background(), metronome.Options{
		Interval: time.Millisecond,
		Limit:    1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for beat := range beats {
		late := time.Since(beat.Time)
		fmt.Println("beat", beat.Sequence, "early:", late < 0)
	}
	// Output: beat 1 early: false
}

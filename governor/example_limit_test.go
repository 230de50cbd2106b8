package governor_test

import (
	"fmt"
	"time"

	"github.com/headrace/headrace/governor"
)

// The latency goes from 10 ms to 40 ms. The limit falls, and rises again when
// the average has learnt the new latency, or when it is over.
func ExampleGradient2() {
	limit, err := (&governor.Gradient2{Max: 100}).Start(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	observe := func(rtt time.Duration, times int) {
		for range times {
			limit.Observe(governor.Sample{RTT: rtt, InFlight: limit.Limit()})
		}
		r := limit.Reading()
		fmt.Printf("limit %d, gradient %.2f, %v\n", limit.Limit(), r.Gradient, r.State)
	}
	observe(10*time.Millisecond, 150)
	observe(40*time.Millisecond, 50)
	observe(10*time.Millisecond, 20)
	// Output:
	// limit 100, gradient 1.00, steady
	// limit 8, gradient 0.50, to load
	// limit 24, gradient 1.00, to steady
}

func ExampleGradient2_Start() {
	_, err := (&governor.Gradient2{Min: 10, Max: 5}).Start(0)
	fmt.Println(err)
	limit, _ := (&governor.Gradient2{}).Start(4) // over 4 workers
	fmt.Println(limit.Limit())
	// Output:
	// governor: invalid options: Gradient2.Max must be at least Min (10), got 5
	// 4
}

// With less than half of the limit in use nothing moves it.
func ExampleReading() {
	limit, _ := (&governor.Gradient2{}).Start(0)
	limit.Observe(governor.Sample{RTT: 10 * time.Millisecond, InFlight: 3})
	r := limit.Reading()
	fmt.Println(limit.Limit(), r.LongRTT, r.Gradient, r.AppLimited)
	// Output: 20 10ms 0 1
}

func ExampleWindowed() {
	limit, err := (&governor.Windowed{
		Limit:   &governor.Gradient2{DropBackoff: true},
		Samples: 3,
	}).Start(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	var limits []int
	for i := range 4 {
		limits = append(limits, limit.Observe(governor.Sample{
			At:       time.Duration(i) * 400 * time.Millisecond,
			RTT:      time.Duration(10+i) * time.Millisecond,
			InFlight: 20 - i,
			Dropped:  i == 1,
		}))
	}
	fmt.Println(limits)
	w := limit.Reading().Window
	fmt.Printf("%d samples up to %v: mean %v, at most %d in flight, dropped %v\n",
		w.Samples, w.End, w.RTT, w.InFlight, w.Dropped)
	// Output:
	// [20 20 20 18]
	// 4 samples up to 1.2s: mean 11.5ms, at most 20 in flight, dropped true
}

func ExampleWindowed_Start() {
	_, err := (&governor.Windowed{Samples: -1}).Start(0)
	fmt.Println(err)
	// Output: governor: invalid options: Windowed.Samples must be at least 1, got -1
}

func ExampleWindow() {
	limit, _ := governor.Fixed(8).Start(0)
	limit.Observe(governor.Sample{RTT: time.Millisecond, InFlight: 2})
	fmt.Printf("%+v\n", limit.Reading().Window)
	// Output: {End:0s RTT:1ms InFlight:2 Dropped:false Samples:1}
}

func ExampleFixed() {
	limiter, _ := governor.NewLimiter(governor.LimiterOptions{Limit: governor.Fixed(2)})
	limiter.TryAcquire()
	limiter.TryAcquire()
	_, ok := limiter.TryAcquire()
	fmt.Println(ok)
	// Output: false
}

func ExampleFixed_Start() {
	limit, _ := governor.Fixed(8).Start(4)
	fmt.Println(limit.Limit())
	// Output: 4
}

func ExampleState() {
	fmt.Println(governor.Steady, "/", governor.ToLoad, "/", governor.ToSteady)
	// Output: steady / to load / to steady
}

// halving is a limit of the user's own: each drop halves it.
type halving int

func (h halving) Start(ceiling int) (governor.Algorithm, error) {
	if ceiling > 0 {
		h = min(h, halving(ceiling))
	}
	return &h, nil
}

func (h *halving) Limit() int                { return int(*h) }
func (h *halving) Reading() governor.Reading { return governor.Reading{} }

func (h *halving) Observe(s governor.Sample) int {
	if s.Dropped {
		*h /= 2
	}
	return int(*h)
}

func ExampleLimit() {
	var limit governor.Limit = halving(8)
	limiter, _ := governor.NewLimiter(governor.LimiterOptions{Limit: limit})
	token, _ := limiter.TryAcquire()
	token.Dropped()
	fmt.Println(limiter.Stats().Limit)
	// Output: 4
}

func ExampleAlgorithm() {
	var a governor.Algorithm
	a, _ = governor.Fixed(3).Start(0)
	fmt.Println(a.Limit(), a.Observe(governor.Sample{Dropped: true}))
	// Output: 3 3
}

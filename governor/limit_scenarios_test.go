package governor

import (
	"math/rand/v2"
	"time"
)

// limitScenario makes the inputs of one of the project's own traces. Its name
// begins with g, or with w for one with windows.
type limitScenario struct {
	name    string
	options Gradient2 // all fields that are traced are set
	queue   int       // -1 for a tenth of the limit
	windows *Windowed
	// input returns the RTT, the number in flight and the time since the start
	// before for the i-th sample, given the limit before it.
	input func(i, limit int, r *rand.Rand) (rtt time.Duration, inFlight int, gap time.Duration)
}

// upstream are the defaults of the reference.
var upstream = Gradient2{Initial: 20, Min: 20, Max: 200, Smoothing: 0.2, LongWindow: 600, Tolerance: 1.5}

func noisy(rtt time.Duration, r *rand.Rand) time.Duration {
	return rtt - rtt/10 + time.Duration(r.Int64N(int64(rtt/5)))
}

var limitScenarios = []limitScenario{
	{
		name: "g1_to_load_and_back", options: upstream, queue: 4,
		input: func(i, limit int, r *rand.Rand) (time.Duration, int, time.Duration) {
			rtt := 10 * ms
			if i >= 60 && i < 150 {
				rtt = 90 * ms
			}
			return noisy(rtt, r), limit, 7 * ms
		},
	},
	{
		name: "g2_around_the_guard", options: upstream, queue: 4,
		input: func(i, limit int, r *rand.Rand) (time.Duration, int, time.Duration) {
			return noisy(time.Duration(8+i%9)*ms, r), max(0, limit/2-1+r.IntN(4)), 3 * ms
		},
	},
	{
		name: "g3_extreme_rtts", options: Gradient2{Initial: 20, Min: 1, Max: 1000, Smoothing: 0.2, LongWindow: 600, Tolerance: 1.5}, queue: 4,
		input: func(i, limit int, _ *rand.Rand) (time.Duration, int, time.Duration) {
			return []time.Duration{1, 10 * ms, time.Hour, 100 * time.Hour, 2, 10 * ms}[i/5%6], limit, ms
		},
	},
	{
		name: "g4_clamps", options: Gradient2{Initial: 10, Min: 9, Max: 14, Smoothing: 0.2, LongWindow: 600, Tolerance: 1.5}, queue: 4,
		input: func(i, limit int, r *rand.Rand) (time.Duration, int, time.Duration) {
			return noisy([]time.Duration{5 * ms, 40 * ms, 300 * ms}[i/40%3], r), limit, ms
		},
	},
	{
		name: "g5_published_formula", options: Gradient2{Initial: 8, Min: 1, Max: 1000, Smoothing: 0.5, LongWindow: 50, Tolerance: 1}, queue: 10,
		input: func(i, limit int, r *rand.Rand) (time.Duration, int, time.Duration) {
			return noisy(20*ms, r), limit, 2 * ms
		},
	},
	{
		name: "g6_queue_of_a_tenth", options: Gradient2{Initial: 57, Min: 4, Max: 500, Smoothing: 0.1, LongWindow: 200, Tolerance: 2}, queue: -1,
		input: func(i, limit int, r *rand.Rand) (time.Duration, int, time.Duration) {
			return noisy(time.Duration(5+i%50)*ms, r), limit, 2 * ms
		},
	},
	{
		// A decay among the first samples is lost, but not one at the last.
		name: "g7_warm_up", options: upstream, queue: 4,
		input: func(i, limit int, _ *rand.Rand) (time.Duration, int, time.Duration) {
			return []time.Duration{100 * ms, 3 * ms}[i%2], limit, 2 * ms
		},
	},
	{
		// A mean of exactly twice the RTT at the tenth sample does not decay.
		name: "g8_twice_exactly", options: upstream, queue: 4,
		input: func(i, limit int, _ *rand.Rand) (time.Duration, int, time.Duration) {
			if i < 9 {
				return 19 * ms, limit, 2 * ms
			}
			return 9 * ms, limit, 2 * ms
		},
	},
	{
		name: "g9_smoothing_1", options: Gradient2{Initial: 10, Min: 1, Max: 200, Smoothing: 1, LongWindow: 20, Tolerance: 1.5}, queue: 4,
		input: func(i, limit int, r *rand.Rand) (time.Duration, int, time.Duration) {
			return noisy(time.Duration(10+20*(i/30%2))*ms, r), limit, 2 * ms
		},
	},
	{
		// Refused by Gradient2, but it shows which clamp comes last.
		name: "g10_min_above_max", options: Gradient2{Initial: 50, Min: 60, Max: 40, Smoothing: 0.2, LongWindow: 600, Tolerance: 1.5}, queue: 4,
		input: func(i, limit int, r *rand.Rand) (time.Duration, int, time.Duration) {
			return noisy(10*ms, r), limit, 2 * ms
		},
	},
	{
		name: "w1_to_load_and_back", options: upstream, queue: 4,
		windows: &Windowed{Window: 100 * ms, MaxWindow: time.Second, Samples: 10, MinRTT: 100 * time.Microsecond},
		input: func(i, limit int, r *rand.Rand) (time.Duration, int, time.Duration) {
			rtt := 10 * ms
			if i > 80 && i < 160 {
				rtt = 90 * ms
			}
			return noisy(rtt, r), limit - r.IntN(3), 10 * ms
		},
	},
	{
		name: "w2_border_of_ready", options: upstream, queue: 4,
		windows: &Windowed{Window: time.Second, MaxWindow: time.Second, Samples: 10},
		input: func(_, limit int, r *rand.Rand) (time.Duration, int, time.Duration) {
			return noisy(10*ms, r), limit, 95*ms + time.Duration(r.IntN(15))*ms
		},
	},
	{
		name: "w3_around_the_threshold", options: Gradient2{Initial: 4, Min: 2, Max: 64, Smoothing: 0.4, LongWindow: 20, Tolerance: 1.2}, queue: 8,
		windows: &Windowed{Window: 100 * ms, MaxWindow: 300 * ms, Samples: 5, MinRTT: ms},
		input: func(i, limit int, r *rand.Rand) (time.Duration, int, time.Duration) {
			return ms + time.Duration(r.IntN(5)-2)*ms/4, limit + 100*(i%2), 10 * ms
		},
	},
	{
		name: "w4_bursts_out_of_order", options: upstream, queue: 4,
		windows: &Windowed{Window: 100 * ms, MaxWindow: time.Second, Samples: 10},
		input: func(i, limit int, r *rand.Rand) (time.Duration, int, time.Duration) {
			gap := time.Duration(r.IntN(60)-20) * ms
			if i%60 == 59 {
				gap = 5 * time.Minute
			}
			return noisy(time.Duration(20+r.IntN(400))*ms, r), limit, gap
		},
	},
}

package governor

import "math/rand/v2"

// simService is a distribution of the work of an entry, with a mean of 1.
type simService struct {
	name string
	draw func(*rand.Rand) float64
}

var (
	deterministic = simService{"deterministic", func(*rand.Rand) float64 { return 1 }}
	exponential   = simService{"exponential", func(r *rand.Rand) float64 { return r.ExpFloat64() }}
	// bimodal: one entry in ten takes eleven times as long as the others.
	bimodal = simService{"bimodal", func(r *rand.Rand) float64 {
		if r.IntN(10) == 0 {
			return 5.5
		}
		return 0.5
	}}
	simServices = []simService{deterministic, exponential, bimodal}
)

// of returns the distribution scaled to a mean in seconds.
func (s simService) of(mean float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return mean * s.draw(r) }
}

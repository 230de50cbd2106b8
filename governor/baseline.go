package governor

const (
	warmUp      = 10 // samples that make a plain mean
	decayAbove  = 2.0
	decayFactor = 0.95
)

// baseline is the long-term average of the RTT in nanoseconds: the mean of the
// first samples, then an exponential average.
type baseline struct {
	weight float64 // of a new sample
	count  int     // up to warmUp
	sum    float64
	value  float64
}

func newBaseline(samples int) baseline {
	return baseline{weight: 2 / float64(samples+1)}
}

func (b *baseline) add(rtt float64) float64 {
	if b.count < warmUp {
		b.count++
		b.sum += rtt
		b.value = b.sum / float64(b.count)
		return b.value
	}
	b.value = float64(b.value*(1-b.weight)) + float64(rtt*b.weight)
	return b.value
}

// decay acts on the value alone: during the warm-up the next sum replaces it.
func (b *baseline) decay() { b.value *= decayFactor }

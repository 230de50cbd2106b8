package bench

import "slices"

// Stat is what several runs say about one figure.
type Stat struct {
	N      int     `json:"n"` // figures; the rest is 0 if there is none
	Median float64 `json:"median"`
	// Low and High are the first and the third quartile, interpolated between the
	// two nearest figures (type 7 of Hyndman and Fan, "Sample Quantiles in
	// Statistical Packages", 1996). Half of the figures are between them.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// NewStat returns the Stat of figures, which it leaves as they are.
func NewStat(figures []float64) Stat {
	if len(figures) == 0 {
		return Stat{}
	}
	sorted := slices.Sorted(slices.Values(figures))
	return Stat{
		N:      len(sorted),
		Median: quantile(sorted, 0.5),
		Low:    quantile(sorted, 0.25),
		High:   quantile(sorted, 0.75),
		Min:    sorted[0],
		Max:    sorted[len(sorted)-1],
	}
}

// Spread returns the distance of the quartiles relative to the median, 0 if the
// median is 0.
func (s Stat) Spread() float64 {
	if s.Median == 0 {
		return 0
	}
	return (s.High - s.Low) / s.Median
}

func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	part := at - float64(i)
	return sorted[i]*(1-part) + sorted[i+1]*part
}

package bench

import "fmt"

// Bar is a figure to reach. With a Rival it bounds the ratio of side to rival
// within a run, otherwise the figure itself.
type Bar struct {
	Metric string  `json:"metric"`
	Side   string  `json:"side"`  // empty is the first side of the case
	Rival  string  `json:"rival"` // name of a side; empty bounds the figure itself
	AtMost float64 `json:"at_most"`
	// AtLeast is used when AtMost is zero. When both are zero the bar is: at most
	// zero, as for allocations.
	AtLeast float64 `json:"at_least"`
	Source  string  `json:"source"` // where the bar comes from, or why it is this
}

// Loosen returns the bar made easier by a factor of at least 1: with 1.5,
// "at most 1.0" becomes "at most 1.5" and "at least 3" becomes "at least 2".
// It leaves a bar of zero as it is.
func (b Bar) Loosen(factor float64) Bar {
	b.AtMost *= factor
	b.AtLeast /= factor
	return b
}

// Holds reports whether the figure reaches the bar.
func (b Bar) Holds(figure float64) bool {
	if b.isLower() {
		return figure >= b.AtLeast
	}
	return figure <= b.AtMost
}

// Limit returns the bound itself.
func (b Bar) Limit() float64 {
	if b.isLower() {
		return b.AtLeast
	}
	return b.AtMost
}

// Sign returns how a figure must stand to the limit: "<=" or ">=".
func (b Bar) Sign() string {
	if b.isLower() {
		return ">="
	}
	return "<="
}

// isLower reports whether the bar is a lower bound.
func (b Bar) isLower() bool { return b.AtMost == 0 && b.AtLeast != 0 }

// validate checks the bar against the case that it belongs to.
func (b Bar) validate(c Case) error {
	switch {
	case !c.hasMetric(b.Metric):
		return fmt.Errorf("a bar is for the unknown metric %q", b.Metric)
	case b.Side != "" && !c.hasSide(b.Side):
		return fmt.Errorf("a bar is for the unknown side %q", b.Side)
	case b.Rival != "" && !c.hasSide(b.Rival):
		return fmt.Errorf("a bar is for the unknown rival %q", b.Rival)
	case b.AtMost != 0 && b.AtLeast != 0:
		return fmt.Errorf("a bar for %q has two bounds", b.Metric)
	}
	return nil
}

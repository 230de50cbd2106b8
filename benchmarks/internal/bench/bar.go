package bench

import "fmt"

// Bar is a figure to reach. With a Rival it bounds the ratio of side to rival
// within a run, otherwise the figure itself.
//
// A bar is what this version does: a run that misses it has found a loss. With
// Goal it is what a version should do some day: a run shows how far that is, and
// never fails for it.
type Bar struct {
	Metric string  `json:"metric"`
	Side   string  `json:"side"`  // empty is the first side of the case
	Rival  string  `json:"rival"` // name of a side; empty bounds the figure itself
	AtMost float64 `json:"at_most"`
	// AtLeast is used when AtMost is zero. When both are zero the bar is: at most
	// zero, as for allocations.
	AtLeast float64 `json:"at_least"`
	// Goal makes it a goal. It needs a limit and a Source.
	Goal   bool   `json:"goal"`
	Source string `json:"source"` // where the bar comes from, or why it is this
}

// GuardSource is the Source of a bar that says what this version does.
const GuardSource = "guard: what this version does, so that it does not get slower"

// AsGoal returns the bar as a goal, and beside it an easier bar for the same
// figure, which guards what this version does.
func (b Bar) AsGoal(guard float64) []Bar {
	goal, bar := b, b
	goal.Goal = true
	bar.Source = GuardSource
	if b.isLower() {
		bar.AtLeast = guard
	} else {
		bar.AtMost = guard
	}
	return []Bar{goal, bar}
}

// Loosen returns the bar made easier by a factor of at least 1: with 1.5,
// "at most 1.0" becomes "at most 1.5" and "at least 3" becomes "at least 2".
// It leaves a bar of zero as it is, and a goal.
func (b Bar) Loosen(factor float64) Bar {
	if b.Goal {
		return b
	}
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
	case b.Goal && b.Limit() == 0:
		return fmt.Errorf("a goal for %q has no limit", b.Metric)
	case b.Goal && b.Source == "":
		return fmt.Errorf("a goal for %q does not say whose it is", b.Metric)
	}
	return nil
}

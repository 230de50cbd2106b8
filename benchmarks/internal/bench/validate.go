package bench

import (
	"errors"
	"fmt"
	"slices"
)

// Validate reports the first case that is malformed: one without a name, a
// metric or a side, with a name twice, with a bar for what it does not have, with
// two bars for the same, or with a goal that says too little.
func Validate(cases []Case) error {
	seen := map[string]bool{}
	for _, c := range cases {
		id := c.Scenario + ", " + c.Name
		if err := c.validate(); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		if seen[id] {
			return fmt.Errorf("%s: there are two cases of this name", id)
		}
		seen[id] = true
	}
	return nil
}

func (c Case) validate() error {
	if c.Scenario == "" || c.Name == "" {
		return errors.New("the case has no scenario or no name")
	}
	if len(c.Metrics) == 0 || len(c.Sides) == 0 {
		return errors.New("the case has no metrics or no sides")
	}
	seen := map[string]bool{}
	for _, s := range c.Sides {
		if s.Name == "" || s.Measure == nil || seen[s.Name] {
			return fmt.Errorf("the side %q has no name, no Measure, or stands there twice", s.Name)
		}
		seen[s.Name] = true
	}
	clear(seen)
	for _, m := range c.Metrics {
		if m.Name == "" || seen[m.Name] {
			return fmt.Errorf("the metric %q has no name or stands there twice", m.Name)
		}
		seen[m.Name] = true
	}
	return c.validateBars()
}

func (c Case) validateBars() error {
	type about struct {
		metric, side, rival string
		goal                bool
	}
	seen := map[about]bool{}
	for _, b := range c.Bars {
		if err := b.validate(c); err != nil {
			return err
		}
		a := about{b.Metric, b.Side, b.Rival, b.Goal}
		if seen[a] {
			return fmt.Errorf("there are two bars, or two goals, for %q of %q against %q", b.Metric, b.Side, b.Rival)
		}
		seen[a] = true
	}
	return nil
}

func (c Case) hasMetric(name string) bool {
	return slices.ContainsFunc(c.Metrics, func(m Metric) bool { return m.Name == name })
}

func (c Case) hasSide(name string) bool {
	return slices.ContainsFunc(c.Sides, func(s Side) bool { return s.Name == name })
}

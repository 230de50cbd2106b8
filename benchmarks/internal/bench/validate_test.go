package bench

import (
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	if err := Validate([]Case{fake("one"), fake("two")}); err != nil {
		t.Errorf("two good cases: %v", err)
	}
	c := fake("one")
	c.Bars = Bar{Metric: "put", AtMost: 1, Source: "plan"}.AsGoal(2)
	if err := Validate([]Case{c}); err != nil {
		t.Errorf("a goal and a bar for the same: %v", err)
	}
	for want, spoil := range map[string]func(*Case){
		"no scenario":                     func(c *Case) { c.Scenario = "" },
		"no metrics":                      func(c *Case) { c.Metrics = nil },
		`side "a"`:                        func(c *Case) { c.Sides[1].Name = "a" },
		`side "b"`:                        func(c *Case) { c.Sides[1].Measure = nil },
		`metric ""`:                       func(c *Case) { c.Metrics[0].Name = "" },
		`unknown metric "pull"`:           func(c *Case) { c.Bars = []Bar{{Metric: "pull"}} },
		`unknown side "c"`:                func(c *Case) { c.Bars = []Bar{{Metric: "put", Side: "c"}} },
		`unknown rival "c"`:               func(c *Case) { c.Bars = []Bar{{Metric: "put", Rival: "c"}} },
		"two bounds":                      func(c *Case) { c.Bars = []Bar{{Metric: "put", AtMost: 1, AtLeast: 1}} },
		"a goal for \"put\" has no limit": func(c *Case) { c.Bars = []Bar{{Metric: "put", Goal: true, Source: "plan"}} },
		"does not say whose it is":        func(c *Case) { c.Bars = []Bar{{Metric: "put", AtMost: 1, Goal: true}} },
		"two bars, or two goals":          func(c *Case) { c.Bars = []Bar{{Metric: "put", AtMost: 1}, {Metric: "put", AtMost: 2}} },
		"two cases of this name":          func(c *Case) { c.Name = "other" },
	} {
		c := fake("one")
		spoil(&c)
		err := Validate([]Case{fake("other"), c})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one with %q", err, want)
		}
	}
}

package bench

import (
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	if err := Validate([]Case{fake("one"), fake("two")}); err != nil {
		t.Errorf("two good cases: %v", err)
	}
	for want, spoil := range map[string]func(*Case){
		"no scenario":            func(c *Case) { c.Scenario = "" },
		"no metrics":             func(c *Case) { c.Metrics = nil },
		`side "a"`:               func(c *Case) { c.Sides[1].Name = "a" },
		`side "b"`:               func(c *Case) { c.Sides[1].Measure = nil },
		`metric ""`:              func(c *Case) { c.Metrics[0].Name = "" },
		`unknown metric "pull"`:  func(c *Case) { c.Bars = []Bar{{Metric: "pull"}} },
		`unknown side "c"`:       func(c *Case) { c.Bars = []Bar{{Metric: "put", Side: "c"}} },
		`unknown rival "c"`:      func(c *Case) { c.Bars = []Bar{{Metric: "put", Rival: "c"}} },
		"two bounds":             func(c *Case) { c.Bars = []Bar{{Metric: "put", AtMost: 1, AtLeast: 1}} },
		"two cases of this name": func(c *Case) { c.Name = "other" },
	} {
		c := fake("one")
		spoil(&c)
		err := Validate([]Case{fake("other"), c})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one with %q", err, want)
		}
	}
}

package mbo

import "testing"

func TestParsePrice(t *testing.T) {
	for s, want := range map[string]int64{"1": 1e9, "-0.25": -25e7, "4799.000000001": 4799_000_000_001} {
		if got, err := parsePrice(s); got != want || err != nil {
			t.Errorf("%q: %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", ".", "1.", ".5", "+1", "1.0000000001", "1.2.3", "1e3", "99999999999"} {
		if got, err := parsePrice(s); err == nil {
			t.Errorf("%q: %d, want an error", s, got)
		}
	}
}

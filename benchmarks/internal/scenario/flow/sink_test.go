package flow

import "testing"

// A side that loses, doubles or reorders quotes is found out.
func TestSinkCheck(t *testing.T) {
	tests := map[string]struct {
		change func(got []quote) []quote
		ok     map[kind]bool
	}{
		"all":       {func(got []quote) []quote { return got }, map[kind]bool{whole: true, unordered: true, latest: true, counted: true}},
		"reversed":  {reversed, map[kind]bool{unordered: true}},
		"doubled":   {func(got []quote) []quote { return append(got, got[len(got)-1]) }, nil},
		"one lost":  {func(got []quote) []quote { return got[1:] }, map[kind]bool{latest: true}},
		"last lost": {func(got []quote) []quote { return got[:len(got)-1] }, nil},
		"none":      {func(got []quote) []quote { return nil }, nil},
	}
	for name, test := range tests {
		for k := whole; k <= counted; k++ {
			f := &feed{universe: recurring(3), most: 100, began: func() {}}
			var got []quote
			for q := range f.all() {
				if firm(q) {
					got = append(got, q)
				}
			}
			s := &sink{last: make([]int, len(f.symbols))}
			for _, q := range test.change(got) {
				s.take(&q)
			}
			if err := s.check(f, k); (err == nil) != test.ok[k] {
				t.Errorf("%s, kind %d: %v", name, k, err)
			}
		}
	}
}

func reversed(quotes []quote) []quote {
	turned := make([]quote, 0, len(quotes))
	for i := range quotes {
		turned = append(turned, quotes[len(quotes)-1-i])
	}
	return turned
}

package governor

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestFlightsAgainstASlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "n")
		list := flights{n: n}
		var model []*flight
		t.Repeat(map[string]func(*rapid.T){
			"push": func(*rapid.T) { model = append(model, list.push(epoch)) },
			"remove": func(t *rapid.T) {
				if len(model) == 0 {
					t.Skip("nothing in flight")
				}
				i := rapid.IntRange(0, len(model)-1).Draw(t, "index")
				list.remove(model[i])
				model = slices.Delete(model, i, i+1)
			},
			"": func(t *rapid.T) {
				var listed []*flight
				for f := list.front; f != nil; f = f.next {
					listed = append(listed, f)
				}
				if !slices.Equal(listed, model) || list.count != len(model) {
					t.Fatalf("%d in the list, count %d, want %d", len(listed), list.count, len(model))
				}
				var nth *flight
				if len(model) >= n {
					nth = model[n-1]
				}
				if list.nth != nth {
					t.Fatalf("the finger is not on the %d-th of %d", n, len(model))
				}
			},
		})
	})
}

package bench

import "testing"

func TestIsOwn(t *testing.T) {
	r := Result{Sides: []SideResult{{Name: "Headrace, one by one"}}}
	for side, want := range map[string]bool{
		"Headrace, one by one": true,
		"Headrace, batches":    true,
		"Headrace":             true,
		"channel of 256":       false,
	} {
		if got := r.IsOwn(side); got != want {
			t.Errorf("%s: got %v, want %v", side, got, want)
		}
	}
}

func TestSide(t *testing.T) {
	r := newResult(fake("one"))
	for name, want := range map[string]string{"": "a", "b": "b", "c": "c"} {
		if got := r.Side(name); got.Name != want || got.Measured != nil {
			t.Errorf("%q: got %+v, want %q", name, got, want)
		}
	}
}

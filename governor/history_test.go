package governor

import "testing"

func TestHistoryKeepsTheLast(t *testing.T) {
	h := newHistory(3)
	for n := range 8 {
		got := h.all()
		if len(got) != min(n, 3) {
			t.Fatalf("after %d: %d kept, want %d", n, len(got), min(n, 3))
		}
		for i, d := range got {
			if want := n - len(got) + i; d.To != want {
				t.Errorf("after %d: decision %d is %d, want %d", n, i, d.To, want)
			}
		}
		h.add(Decision{To: n})
	}
}

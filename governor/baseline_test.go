package governor

import "testing"

func TestBaselineWarmsUp(t *testing.T) {
	b := newBaseline(19) // a weight of a tenth
	for i := range 10 {
		b.add(float64(i + 1))
	}
	if b.value != 5.5 {
		t.Errorf("mean of 1 to 10: %v, want 5.5", b.value)
	}
	if got := b.add(15.5); got != 6.5 {
		t.Errorf("then %v, want 6.5", got)
	}
}

func TestBaselineForgetsADecayDuringTheWarmUp(t *testing.T) {
	b := newBaseline(600)
	b.add(10)
	if b.decay(); b.value != 9.5 {
		t.Errorf("decayed to %v, want 9.5", b.value)
	}
	if got := b.add(10); got != 10 {
		t.Errorf("then %v, want 10", got)
	}
}

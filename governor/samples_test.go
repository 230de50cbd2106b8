package governor

import "testing"

func TestSamples(t *testing.T) {
	s := samples{}.add(2*ms, true).add(4*ms, false)
	if s.count != 2 || s.signal() != 3*ms {
		t.Errorf("count %d, signal %v, want 2 and 3ms", s.count, s.signal())
	}
	if s.mostQueued() || s.noneQueued() {
		t.Error("one of two is neither most nor none")
	}
	if s = s.add(0, true); !s.mostQueued() {
		t.Error("two of three is most")
	}
	if !(samples{}).add(ms, false).noneQueued() {
		t.Error("none of one is none")
	}
}

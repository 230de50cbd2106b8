package sim

import "testing"

func TestSharingServesAllAtOnce(t *testing.T) {
	s := station{servers: 1, sharing: true, speed: 1}
	s.add(&job{work: 1})
	s.add(&job{work: 1})
	if in, _ := s.next(); in != 2 {
		t.Errorf("two jobs of 1 s: the first is done after %v s, want 2", in)
	}
}

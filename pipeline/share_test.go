package pipeline

import (
	"testing"
	"testing/synctest"
)

func TestShare(t *testing.T) {
	tests := []struct {
		name   string
		settle func(s *share)
		want   []string
	}{
		{"nothing made of it", func(s *share) { s.Ack() }, []string{"0s ack x"}},
		{"refused", func(s *share) { s.Nack() }, []string{"0s nack x"}},
		{"one part is open", func(s *share) { s.part(); s.Ack() }, nil},
		{"the holder is open", func(s *share) { s.part().Ack() }, nil},
		{"all parts acknowledged", func(s *share) {
			a, b := s.part(), s.part()
			b.Ack()
			s.Ack()
			a.Ack()
		}, []string{"0s ack x"}},
		{"one of them refused", func(s *share) {
			a, b := s.part(), s.part()
			b.Nack()
			s.Ack()
			a.Ack()
		}, []string{"0s nack x"}},
		{"a part settled more than once", func(s *share) {
			a, b := s.part(), s.part()
			s.Ack()
			a.Ack()
			a.Ack()
			a.Nack()
			b.Ack()
		}, []string{"0s ack x"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDiary()
				test.settle(newShare(slip{d, "x"}))
				d.check(t, test.want...)
			})
		})
	}
}

func TestPartTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShare(slip{newDiary(), "x"})
		a, b := s.part(), s.part()
		if !a.Ack() || a.Ack() || a.Nack() || !b.Nack() || b.Ack() {
			t.Error("a part does not tell whether this call settled it")
		}
	})
}

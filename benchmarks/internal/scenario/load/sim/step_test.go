package sim

import "testing"

func TestStepMatchesTheLibrarysTable(t *testing.T) {
	c := Consumer{FIFO, 1, false, 0.7, 10}
	s, err := c.Governed()
	if err != nil {
		t.Fatal(err)
	}
	if s.Rate < 23.5 || s.Rate > 24 || s.P99 < 1.8 || s.P99 > 2.2 || s.Back > 0.2 {
		t.Errorf("%+v, want 23.8/s at 1.97 High, back after 0.08 s", s)
	}
	best, ok := c.BestFixed(s.P99)
	if !ok || best.Lowest != 42 {
		t.Errorf("best fixed divisor %+v, want 42", best)
	}
}

func TestFixedAtTheNormalPaceIsLate(t *testing.T) {
	c := Consumer{FIFO, 1, false, 0.7, 10}
	if s := c.Fixed(Base); s.P99 < 50 {
		t.Errorf("p99 is %.1f High, want a backlog of seconds", s.P99)
	}
}

func TestNoHighIsAnError(t *testing.T) {
	if _, err := (Consumer{FIFO, 1, false, 0.7, 0}).Governed(); err == nil {
		t.Error("no error without High")
	}
}

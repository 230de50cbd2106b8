package governor

import (
	"testing"

	"pgregory.net/rapid"
)

func TestPhasePassesMultiples(t *testing.T) {
	var p phase
	for beat := uint64(1); beat <= 100; beat++ {
		if got, want := p.advance(1, 7) == 1, beat%7 == 0; got != want {
			t.Errorf("beat %d passes: %v, want %v", beat, got, want)
		}
	}
}

func TestPhaseKeepsItsPlace(t *testing.T) {
	var p phase
	p.advance(9, 10)
	if got := p.advance(1, 11); got != 0 {
		t.Errorf("10 beats of 11: %d passes, want 0", got)
	}
	if got := p.advance(1, 11); got != 1 {
		t.Errorf("11 beats of 11: %d passes, want 1", got)
	}
	p.advance(9, 10)
	if got := p.advance(1, 5); got != 2 {
		t.Errorf("10 beats of 5: %d passes, want 2", got)
	}
}

func TestPhaseCountsMissedBeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		divisor := rapid.IntRange(1, 50).Draw(t, "divisor")
		var whole, single phase
		for _, beats := range rapid.SliceOf(rapid.Uint64Range(0, 200)).Draw(t, "beats") {
			want := uint64(0)
			for range beats {
				want += single.advance(1, divisor)
			}
			if got := whole.advance(beats, divisor); got != want || whole != single {
				t.Fatalf("%d passes, phase %d; one by one %d, %d", got, whole, want, single)
			}
		}
	})
}

package bench

import (
	"slices"
	"testing"
)

func TestStat(t *testing.T) {
	figures := []float64{5, 1, 4, 2, 3}
	got := NewStat(figures)
	want := Stat{N: 5, Median: 3, Low: 2, High: 4, Min: 1, Max: 5}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if !slices.Equal(figures, []float64{5, 1, 4, 2, 3}) {
		t.Errorf("the figures were changed to %v", figures)
	}
}

func TestStatOfFew(t *testing.T) {
	for _, tt := range []struct {
		figures []float64
		want    Stat
	}{
		{nil, Stat{}},
		{[]float64{7}, Stat{N: 1, Median: 7, Low: 7, High: 7, Min: 7, Max: 7}},
		{[]float64{2, 1}, Stat{N: 2, Median: 1.5, Low: 1.25, High: 1.75, Min: 1, Max: 2}},
	} {
		if got := NewStat(tt.figures); got != tt.want {
			t.Errorf("of %v: got %+v, want %+v", tt.figures, got, tt.want)
		}
	}
}

func TestSpread(t *testing.T) {
	if got := (Stat{N: 5, Median: 4, Low: 3, High: 5}).Spread(); got != 0.5 {
		t.Errorf("got %v, want 0.5", got)
	}
	if got := (Stat{N: 5, High: 1}).Spread(); got != 0 {
		t.Errorf("around 0: got %v, want 0", got)
	}
}

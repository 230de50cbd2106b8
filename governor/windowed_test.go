package governor

import (
	"testing"
	"time"
)

func TestWindowedRefuses(t *testing.T) {
	tests := []struct {
		name, field string
		options     Windowed
	}{
		{"window", "Windowed.Window", Windowed{Window: -1}},
		{"max window", "Windowed.MaxWindow", Windowed{MaxWindow: time.Second - 1}},
		{"samples", "Windowed.Samples", Windowed{Samples: -1}},
		{"RTT", "Windowed.MinRTT", Windowed{MinRTT: -1}},
		{"age", "Windowed.MaxAge", Windowed{MaxAge: time.Second - 1}},
		{"inner limit", "Gradient2.Min", Windowed{Limit: &Gradient2{Min: -1}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantInvalid(t, &test.options, test.field) })
	}
}

func TestWindowedDefaults(t *testing.T) {
	got := (&Windowed{}).withDefaults()
	inner, ok := got.Limit.(*Gradient2)
	if !ok {
		t.Fatalf("the limit is a %T, want *Gradient2", got.Limit)
	}
	want := Windowed{Limit: inner, Window: time.Second, MaxWindow: time.Second, Samples: 10, MaxAge: time.Minute}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := (&Windowed{MaxWindow: time.Hour}).withDefaults().MaxAge; got != time.Hour {
		t.Errorf("MaxAge %v, want MaxWindow", got)
	}
}

func TestWindowedCeiling(t *testing.T) {
	a, err := (&Windowed{}).Start(4)
	if err != nil || a.Limit() != 4 {
		t.Errorf("limit %d, %v; want 4", a.Limit(), err)
	}
}

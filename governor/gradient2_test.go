package governor

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// wantInvalid wants the limit refused with an error that begins with the field.
func wantInvalid(t *testing.T, l Limit, field string) {
	t.Helper()
	_, err := l.Start(0)
	if !errors.Is(err, ErrOptions) {
		t.Fatalf("got %v, want ErrOptions", err)
	}
	if text := strings.TrimPrefix(err.Error(), ErrOptions.Error()+": "); !strings.HasPrefix(text, field+" ") {
		t.Errorf("got %q, want the field %s", text, field)
	}
}

func TestGradient2Refuses(t *testing.T) {
	tests := []struct {
		name, field string
		options     Gradient2
	}{
		{"min", "Gradient2.Min", Gradient2{Min: -1}},
		{"max below min", "Gradient2.Max", Gradient2{Min: 5, Max: 4}},
		{"default max below min", "Gradient2.Max", Gradient2{Min: 201}},
		{"negative max", "Gradient2.Max", Gradient2{Max: -1}},
		{"huge max", "Gradient2.Max", Gradient2{Max: 1<<30 + 1}},
		{"initial below min", "Gradient2.Initial", Gradient2{Min: 5, Initial: 4}},
		{"initial above max", "Gradient2.Initial", Gradient2{Max: 10, Initial: 11}},
		{"queue", "Gradient2.Queue", Gradient2{Queue: -1}},
		{"negative smoothing", "Gradient2.Smoothing", Gradient2{Smoothing: -0.1}},
		{"smoothing above 1", "Gradient2.Smoothing", Gradient2{Smoothing: math.Nextafter(1, 2)}},
		{"smoothing NaN", "Gradient2.Smoothing", Gradient2{Smoothing: math.NaN()}},
		{"long window", "Gradient2.LongWindow", Gradient2{LongWindow: -1}},
		{"tolerance", "Gradient2.Tolerance", Gradient2{Tolerance: math.Nextafter(1, 0)}},
		{"negative tolerance", "Gradient2.Tolerance", Gradient2{Tolerance: -1}},
		{"tolerance NaN", "Gradient2.Tolerance", Gradient2{Tolerance: math.NaN()}},
		{"tolerance infinite", "Gradient2.Tolerance", Gradient2{Tolerance: math.Inf(1)}},
		{"healthy RTT", "Gradient2.MaxHealthyRTT", Gradient2{MaxHealthyRTT: -1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantInvalid(t, &test.options, test.field) })
	}
}

func TestGradient2AcceptsTheBounds(t *testing.T) {
	for _, o := range []Gradient2{
		{Min: 5, Max: 5, Initial: 5},
		{Max: 1 << 30, Smoothing: 1, Tolerance: 1, LongWindow: 1, Initial: 1},
		{Initial: 200},
	} {
		start(t, &o)
	}
}

func TestGradient2Defaults(t *testing.T) {
	got := (&Gradient2{}).withDefaults()
	want := Gradient2{Initial: 20, Min: 1, Max: 200, Queue: 4, Smoothing: 0.2, LongWindow: 600, Tolerance: 1}
	if got.QueueFunc != nil {
		t.Error("a queue function by default")
	}
	if got.Initial != want.Initial || got.Min != want.Min || got.Max != want.Max || got.Queue != want.Queue ||
		got.Smoothing != want.Smoothing || got.LongWindow != want.LongWindow || got.Tolerance != want.Tolerance ||
		got.DropBackoff || got.MaxHealthyRTT != 0 {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, test := range []struct {
		options Gradient2
		initial int
	}{{Gradient2{Max: 7}, 7}, {Gradient2{Min: 30}, 30}, {Gradient2{Min: 3, Max: 40}, 20}} {
		if got := test.options.withDefaults().Initial; got != test.initial {
			t.Errorf("%+v: initial %d, want %d", test.options, got, test.initial)
		}
	}
}

func TestGradient2Ceiling(t *testing.T) {
	a, err := (&Gradient2{Min: 10, Initial: 15, Max: 100}).Start(4)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if got := a.Limit(); got != 4 {
			t.Fatalf("limit %d, want 4", got)
		}
		a.Observe(Sample{RTT: ms, InFlight: 4})
	}
	a, err = (&Gradient2{}).Start(1000)
	if err != nil || a.Limit() != 20 {
		t.Errorf("limit %d, %v; want 20", a.Limit(), err)
	}
	// What is wrong is wrong under a ceiling too.
	if _, err := (&Gradient2{Max: 10, Initial: 11}).Start(4); err == nil {
		t.Error("an initial limit above the maximum was accepted")
	}
}

// The options are not the state.
func TestGradient2CanBeStartedTwice(t *testing.T) {
	o := &Gradient2{}
	a, b := start(t, o), start(t, o)
	for range 10 {
		a.Observe(Sample{RTT: ms, InFlight: 100})
	}
	if a.Limit() != 28 || b.Limit() != 20 {
		t.Errorf("limits %d and %d, want 28 and 20", a.Limit(), b.Limit())
	}
}

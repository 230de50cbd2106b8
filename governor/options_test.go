package governor

import (
	"errors"
	"math"
	"testing"
	"time"
)

const ms = time.Millisecond

func TestOptionsDefaults(t *testing.T) {
	o := Options{High: 10 * ms}.withDefaults()
	if o.Low != 5*ms || o.Base != 10 || o.Max != 200 || o.Window != 2 || o.Signal != Mean || o.Reads != 1 || o.MaxReads != 1 || o.Brake != 5*ms || o.History != 64 {
		t.Errorf("got %+v", o)
	}
	if got := (Options{High: 10 * ms, Base: 3}).withDefaults().Max; got != 60 {
		t.Errorf("Max is %d with Base 3, want 60", got)
	}
	for _, most := range []int{0, 1} {
		if got := (Options{High: ms, Reads: 3, MaxReads: most}).withDefaults().MaxReads; got != 3 {
			t.Errorf("MaxReads %d is %d with Reads 3, want 3", most, got)
		}
	}
}

func TestOptionsEnabled(t *testing.T) {
	for high, want := range map[time.Duration]bool{0: false, ms: true, -ms: true} {
		if got := (Options{High: high}).Enabled(); got != want {
			t.Errorf("High %v: %v, want %v", high, got, want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	tests := []struct {
		interval     time.Duration
		asynchronous bool
		options      Options
		want         string
	}{
		{0, false, Options{High: ms}, "interval must be positive, got 0s: a governor needs a metronome"},
		{ms, false, Options{}, "High must be positive, got 0s"},
		{ms, false, Options{High: -ms}, "High must be positive, got -1ms"},
		{ms, false, Options{High: 5 * ms, Low: -ms}, "Low must not be negative, got -1ms"},
		{ms, false, Options{High: 5 * ms, Low: 7 * ms}, "Low must be below High (5ms), got 7ms"},
		{ms, false, Options{High: 5 * ms, Low: 5 * ms}, "Low must be below High (5ms), got 5ms"},
		{ms, false, Options{High: ms, Base: -1}, "Base must be at least 1, got -1"},
		{ms, false, Options{High: ms, Base: 10, Max: 9}, "Max must be at least Base (10), got 9"},
		{ms, false, Options{High: ms, Reads: -1}, "Reads must be at least 1, got -1"},
		{ms, false, Options{High: ms, MaxReads: -1}, "MaxReads must be at least Reads (1), got -1"},
		{ms, false, Options{High: ms, Reads: 4, MaxReads: 3}, "MaxReads must be at least Reads (4), got 3"},
		{ms, false, Options{High: ms, MaxReads: 5, Parallel: 4}, "MaxReads must not be above the number of pulling workers (4), got 5"},
		{ms, false, Options{High: ms, Signal: -0.1}, "Signal must be from 0 to 1, got -0.1"},
		{ms, false, Options{High: ms, Signal: 1.1}, "Signal must be from 0 to 1, got 1.1"},
		{ms, false, Options{High: ms, Signal: Signal(math.NaN())}, "Signal must be from 0 to 1, got NaN"},
		{ms, false, Options{High: ms, Signal: 0.9}, "Signal 0.9 needs a Window of at least 10, got 2"},
		{ms, false, Options{High: ms, Signal: 0.99, Window: 99}, "Signal 0.99 needs a Window of at least 100, got 99"},
		{ms, false, Options{High: ms, Window: -1}, "Window must be at least 1, got -1"},
		{ms, false, Options{High: ms, Parallel: -1}, "Parallel must not be negative, got -1"},
		{ms, true, Options{High: ms}, "Parallel must be stated for an asynchronous consumer"},
		{ms, true, Options{High: ms, Parallel: 1, Brake: -ms}, "Brake must not be negative, got -1ms"},
		{ms, false, Options{High: ms, History: -1}, "History must be at least 1, got -1"},
	}
	for _, tt := range tests {
		_, err := New(tt.interval, tt.asynchronous, tt.options)
		if !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v is not ErrOptions", tt.want, err)
			continue
		}
		if want := "governor: invalid options: " + tt.want; err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestNewAccepts(t *testing.T) {
	for _, tt := range []struct {
		asynchronous bool
		options      Options
	}{
		{false, Options{High: ms, Reads: 5, Parallel: 2}}, // credit is cut to the workers
		{false, Options{High: ms, MaxReads: 5}},           // the number of workers is not known
		{false, Options{High: ms, MaxReads: 4, Parallel: 4}},
		{true, Options{High: ms, MaxReads: 5, Parallel: 1}},
		{false, Options{High: ms, Signal: Maximum}},
		{false, Options{High: ms, Signal: 0.5}},
		{false, Options{High: ms, Signal: 0.9, Window: 10}},
	} {
		if _, err := New(ms, tt.asynchronous, tt.options); err != nil {
			t.Errorf("%+v: %v", tt.options, err)
		}
	}
}

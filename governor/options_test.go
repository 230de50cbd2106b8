package governor

import (
	"errors"
	"testing"
	"time"
)

const ms = time.Millisecond

func TestOptionsDefaults(t *testing.T) {
	o := Options{High: 10 * ms}.withDefaults()
	if o.Low != 5*ms || o.Base != 10 || o.Max != 200 || o.Window != 2 || o.Brake != 5*ms || o.History != 64 {
		t.Errorf("got %+v", o)
	}
	if got := (Options{High: 10 * ms, Base: 3}).withDefaults().Max; got != 60 {
		t.Errorf("Max is %d with Base 3, want 60", got)
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

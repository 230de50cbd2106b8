package quota

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func TestOptionsDefaults(t *testing.T) {
	o := Options{Window: 2 * time.Second}.withDefaults()
	if o.Samples != 1 || o.MaxDelay != 2*time.Second || o.Expiry != time.Hour || o.MaxEntities != 100_000 || o.Producers != 0 {
		t.Errorf("got %+v", o)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for field, o := range map[string]Options{
		"Window must":      {Window: ms - 1},
		"Window is":        {Window: 1 << 62},
		"Samples must":     {Samples: -1},
		"at most 1000":     {Samples: 1001},
		"MaxDelay":         {MaxDelay: -1},
		"Producers":        {Producers: -1},
		"Expiry":           {Samples: 11, Expiry: 10 * time.Second},
		"MaxEntities must": {MaxEntities: -1},
		"at most 1000000":  {MaxEntities: 1_000_001},
		"got 2147483647":   {MaxEntities: math.MaxInt32},
		"got -2147483648":  {Samples: math.MinInt32},
	} {
		if _, err := New(o); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), field) {
			t.Errorf("got %v, want it to name %s", err, field)
		}
	}
}

// The largest values that pass are of use: no overflow, and no panic.
func TestExtremeOptions(t *testing.T) {
	longest := time.Duration(math.MaxInt64)
	for _, o := range []Options{
		{Window: longest / 1000 / 2, Expiry: longest, MaxDelay: longest, Producers: math.MaxInt32},
		{Window: longest / 1000 / 1001, Samples: 1000, Expiry: longest, MaxDelay: longest},
		{Window: ms, Samples: 1000, MaxDelay: 1, MaxEntities: 1_000_000},
		{Window: ms, Expiry: ms, MaxEntities: 1},
	} {
		q := mustNew(t, o)
		mustAlter(t, q, alice, percent("1e-300"), produced("1"))
		gate := producerOf(q, "alice", "")
		for _, at := range []time.Duration{0, ms, math.MaxInt64, 0} {
			now := q.epoch.Add(at)
			if d := gate.Charge(now, math.MaxInt64, math.MaxInt64); d.Bytes <= 0 || d.Time <= 0 {
				t.Errorf("%+v: delay %v for all that can be used", o, d)
			}
			q.Expire(now)
			for _, u := range q.Stats(now).Entities {
				if u.Mute < 0 || u.Total < 0 || u.Waited < 0 || !(u.Used >= 0) {
					t.Errorf("%+v: got %+v", o, u)
				}
			}
		}
	}
}

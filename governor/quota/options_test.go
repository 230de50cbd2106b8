package quota

import (
	"errors"
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
	} {
		if _, err := New(o); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), field) {
			t.Errorf("got %v, want it to name %s", err, field)
		}
	}
}

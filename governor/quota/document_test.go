package quota

import (
	"errors"
	"strings"
	"testing"
)

func TestParseDocument(t *testing.T) {
	all := Limits{RequestTimePercent: 1, ProducerByteRate: 1024, ConsumerByteRate: 2048}
	tests := map[string]Limits{
		`{"version":2,"config":{"producer_byte_rate":"1024","consumer_byte_rate":"2048","request_time_percent":"1.0"}}`: all,
		`{"version":1,"config":{"producer_byte_rate":"1024"}}`:                                                          {ProducerByteRate: 1024},
		`{"config":{"request_time_percent":"1"},"version":2}`:                                                           {RequestTimePercent: 1},
		`{"version":2,"config":{}}`:                     {},
		" {\n\t\"version\" : 1 , \"config\" : { } } \n": {},
	}
	for in, want := range tests {
		d, err := parseDocument("p", []byte(in))
		if err != nil || d.limits != want {
			t.Errorf("%s: got %v, %v; want %v", in, d.limits, err, want)
		}
	}
	d, err := parseDocument("p", document{limits: all}.format())
	if err != nil || d.limits != all {
		t.Errorf("what is written is read as %v, %v", d.limits, err)
	}
}

func TestParseDocumentRefuses(t *testing.T) {
	tests := []struct{ in, key, value, reason string }{
		{``, "", "", "not a JSON"},
		{`{"version":2,"config":{}}x`, "", "", "not a JSON"},
		{`[]`, "", "", "must be a JSON object"},
		{`null`, "", "", "must be a JSON object"},
		{`{}`, "version", "", "must be 1 or 2"},
		{`{"version":3,"config":{}}`, "version", "3", "must be 1 or 2"},
		{`{"version":"2","config":{}}`, "version", `"2"`, "must be 1 or 2"},
		{`{"version":2}`, "config", "", "missing"},
		{`{"version":2,"config":null}`, "config", "", "must be a JSON object"},
		{`{"version":2,"config":[]}`, "config", "", "must be a JSON object"},
		{`{"version":2,"config":{},"x":1}`, "x", "1", "unknown field"},
		{`{"version":2,"version":2,"config":{}}`, "", "", "twice"},
		{`{"version":2,"entity":5,"config":{}}`, "entity", "5", "string"},
		{`{"version":2,"config":{"request_percentage":"1"}}`, "request_percentage", "1", "unknown key"},
		{`{"version":1,"config":{"request_time_percent":"1"}}`, "request_time_percent", "1", "version 1"},
		{`{"version":2,"config":{"request_time_percent":1}}`, "request_time_percent", "1", "JSON string"},
		{`{"version":2,"config":{"request_time_percent":null}}`, "request_time_percent", "null", "JSON string"},
		{`{"version":2,"config":{"request_time_percent":"0"}}`, "request_time_percent", "0", "greater than 0"},
		{`{"version":2,"config":{"producer_byte_rate":"1","producer_byte_rate":"2"}}`, "config", "", "twice"},
		{`{"version":2,"config":{"producer_byte_rate":"1","consumer_byte_rate":"2","request_time_percent":"x"}}`, "request_time_percent", "x", "decimal"},
	}
	for _, tt := range tests {
		d, err := parseDocument("users/alice.json", []byte(tt.in))
		var bad *ConfigError
		if !errors.As(err, &bad) || !errors.Is(err, ErrConfig) || d.limits != (Limits{}) {
			t.Errorf("%s: got %v, %v; want a ConfigError", tt.in, d.limits, err)
			continue
		}
		if bad.Path != "users/alice.json" || bad.Key != tt.key || bad.Value != tt.value || !strings.Contains(bad.Reason, tt.reason) {
			t.Errorf("%s: got %+v, want key %q, value %q: %q", tt.in, *bad, tt.key, tt.value, tt.reason)
		}
	}
}

func FuzzParseDocument(f *testing.F) {
	f.Add([]byte(`{"version":2,"config":{"producer_byte_rate":"1024","request_time_percent":"1.0"}}`))
	f.Add([]byte(`{"version":1,"entity":"users/a","config":{}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		d, err := parseDocument("p", in)
		if err != nil {
			return
		}
		again, err := parseDocument("p", d.format())
		if err != nil || again.limits != d.limits {
			t.Errorf("%v is written and read as %v, %v", d, again, err)
		}
	})
}

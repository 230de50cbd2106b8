package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestDefaults(t *testing.T) {
	var stderr bytes.Buffer
	o, err := parseFlags(nil, &stderr)
	if want := (options{duration: 12 * time.Second, quotas: true}); err != nil || o != want {
		t.Errorf("got %+v, %v; want %+v", o, err, want)
	}
}

func TestBadFlags(t *testing.T) {
	for _, tt := range []struct {
		args string
		want string
	}{
		{"-duration 3s", "-duration must be at least 4s"},
		{"-config-dir d -quotas=false", `-config-dir "d" has no effect`},
		{"more", `argument "more": expected flags only`},
		{"-nonsense", "flag provided but not defined: -nonsense"},
	} {
		p := start(t.Context(), strings.Fields(tt.args)...)
		if p.status != 2 || !strings.Contains(p.stderr.String(), tt.want) || p.stdout.Len() != 0 {
			t.Errorf("%s: status %d, %q; want 2 and %q", tt.args, p.status, &p.stderr, tt.want)
		}
	}
	if p := start(t.Context(), "-h"); p.status != 0 || !strings.Contains(p.stderr.String(), "-config-dir") {
		t.Errorf("-h: status %d, %q", p.status, &p.stderr)
	}
}

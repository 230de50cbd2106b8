package report

import (
	"runtime"
	"testing"
)

func TestThisMachine(t *testing.T) {
	m := ThisMachine()
	if m.CPU == "" || m.Cores < 1 || m.GOMAXPROCS < 1 || m.Go != runtime.Version() || m.OS == "" || m.Commit == "" {
		t.Errorf("got %+v", m)
	}
}

func TestShortCommit(t *testing.T) {
	for _, tt := range []struct {
		m    Machine
		want string
	}{
		{Machine{Commit: "0123456789abcdef0123456789abcdef01234567"}, "0123456789ab"},
		{Machine{Commit: "0123456789abcdef0123456789abcdef01234567", Dirty: true}, "0123456789ab (changed)"},
		{Machine{Commit: "unknown"}, "unknown"},
	} {
		if got := tt.m.ShortCommit(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/governor/quota"
)

// between reports whether v is in the range given.
func between(low, v, high float64) bool { return low <= v && v <= high }

func TestGreedyTenantStarvesTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t.Context(), "-duration", "8s", "-quotas=false", "-json").mustPass(t)
		if s.Quotas || s.Producers != 16 || len(s.Phases) != 1 {
			t.Fatalf("got %+v, want one phase of 16 producers without quotas", s)
		}
		tenants := s.Phases[0].Tenants
		if !between(875, tenants[0].Readings, 950) { // the cache was empty at first
			t.Errorf("acme %+v, want about 14/16 of 1000 readings/s", tenants[0])
		}
		for _, modest := range tenants[1:] {
			if !between(60, modest.Readings, 70) || modest.Limit != 0 || modest.Throttled != 0 {
				t.Errorf("got %+v, want about 1/16 of 1000 readings/s and no quota", modest)
			}
		}
	})
}

func TestQuotasGiveEachItsShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := start(t.Context(), "-duration", "16s", "-json").mustPass(t)
		if !s.Quotas || len(s.Phases) != 2 {
			t.Fatalf("got %+v, want two phases", s)
		}
		for i, want := range []float64{4, 2} { // percent of 16 producers, at 2 ms a reading: 80 readings/s each
			p := s.Phases[i]
			acme := p.Tenants[0]
			if acme.Limit != want || !between(0.8*want, acme.Share, 1.2*want) || !between(64*want, acme.Readings, 96*want) {
				t.Errorf("phase %d: acme %+v, want a share of %v %%", i, acme, want)
			}
			if acme.Throttled == 0 || acme.Delayed == 0 || acme.Waited < 10*1000*p.Length {
				t.Errorf("phase %d: acme %+v, want most of its producers waiting", i, acme)
			}
			for _, modest := range p.Tenants[1:] {
				if modest.Limit != 4 || !between(198, modest.Readings, 201) || !between(2.4, modest.Share, 2.6) || modest.Throttled != 0 {
					t.Errorf("phase %d: %+v, want 200 readings/s and no delay", i, modest)
				}
			}
		}
	})
}

// The program changes the directory, and finds what others changed there.
func TestDirectoryIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "quotas")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { // stands for somebody at another terminal
			time.Sleep(1500 * time.Millisecond)
			if _, err := quota.Dir(dir).Alter(quota.Entity{User: quota.Named("birch")}, percent("1.0")); err != nil {
				t.Error(err)
			}
		}()
		s := start(ctx, "-duration", "10s", "-config-dir", dir, "-json").mustPass(t)
		last := s.Phases[len(s.Phases)-1].Tenants
		if birch := last[1]; birch.Limit != 1 || birch.Throttled == 0 || !between(60, birch.Readings, 100) {
			t.Errorf("birch %+v, want 1 %% of 16 producers: 80 readings/s", birch)
		}
		set, err := quota.Dir(dir).All()
		if err != nil || len(set) != 3 {
			t.Errorf("the directory holds %v, %v; want the default, acme and birch", set, err)
		}
		s = start(ctx, "-duration", "4s", "-config-dir", dir, "-json").mustPass(t)
		if birch := s.Phases[0].Tenants[1]; birch.Limit != 1 {
			t.Errorf("birch %+v in the next run, want the quota that was set", birch)
		}
	})
}

func TestTemporaryDirectoryIsRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		temp := t.TempDir()
		t.Setenv("TMPDIR", temp)
		p := start(t.Context(), "-duration", "4s")
		if p.status != 0 || !strings.Contains(p.stdout.String(), filepath.Join(temp, "headrace-quotas-")) {
			t.Errorf("status %d, want 0 and the directory named:\n%s%s", p.status, &p.stdout, &p.stderr)
		}
		if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	})
}

func TestInterrupt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer cancel()
		began := time.Now()
		s := start(ctx, "-json").mustPass(t)
		if took := time.Since(began); took > 4*time.Second {
			t.Errorf("took %v, want no longer than what waits", took)
		}
		if len(s.Phases) != 1 || s.Phases[0].Length != 2 {
			t.Errorf("got %+v, want the two whole seconds", s.Phases)
		}
	})
}

func TestUnusableDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "users"), 0o755); err != nil {
		t.Fatal(err)
	}
	bad := []byte(`{"version":2,"config":{"request_time_percent":"101"}}`)
	if err := os.WriteFile(filepath.Join(dir, "users", "acme.json"), bad, 0o644); err != nil {
		t.Fatal(err)
	}
	p := start(t.Context(), "-config-dir", dir)
	if p.status != 1 || !strings.Contains(p.stderr.String(), "must be at most 100") {
		t.Errorf("status %d, %q; want 1 and what is wrong", p.status, &p.stderr)
	}
}

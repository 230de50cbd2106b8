package bench

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// What sides share is made when the first asks for it, and again after its release.
func TestShared(t *testing.T) {
	made := 0
	s := NewShared(func() *int { made++; return new(made) })
	for n := range 4 {
		if n == 2 {
			if s.Release(); s.value != nil {
				t.Error("it is kept after its release")
			}
		}
		if got, want := *s.Get(), n/2+1; got != want {
			t.Errorf("got number %d, want %d", got, want)
		}
	}
}

// A case is released when its sides have been measured, whatever they return.
func TestRunnerReleases(t *testing.T) {
	var got []string
	c := fake("one")
	c.Release = func() { got = append(got, "release") }
	for i := range c.Sides {
		name := c.Sides[i].Name
		c.Sides[i].Measure = func(context.Context, time.Duration) (Sample, error) {
			got = append(got, name)
			return nil, errors.New("broken")
		}
	}
	if _, err := (Runner{Runs: 2, About: time.Second}).Run(t.Context(), []Case{c}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"a", "b", "release", "release"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

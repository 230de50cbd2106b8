package pipeline

import (
	"slices"
	"testing"
	"testing/synctest"
)

func TestCrew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrew()
		release := map[string]chan struct{}{}
		for _, name := range []string{"b", "a"} {
			stop := make(chan struct{})
			release[name] = stop
			c.add(name, func() { <-stop })
		}
		c.start()
		expect := func(done bool, names ...string) {
			t.Helper()
			synctest.Wait()
			if got := c.names(); !slices.Equal(got, names) {
				t.Errorf("at work: %q, want %q", got, names)
			}
			select {
			case <-c.done:
				if !done {
					t.Error("done too early")
				}
			default:
				if done {
					t.Error("not done")
				}
			}
		}
		expect(false, "a", "b")
		close(release["b"])
		expect(false, "a")
		close(release["a"])
		expect(true)
	})
}

func TestCrewEmpty(t *testing.T) {
	c := newCrew()
	c.start()
	<-c.done
}

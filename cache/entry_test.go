package cache

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestEntryTellsItsMaking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		start := time.Now()
		c.Admit(Arrival[string, int]{Key: "a", Value: 1, Sequence: 7})
		time.Sleep(time.Second)
		c.Admit(Arrival[string, int]{Key: "a", Value: 2, Sequence: 5})
		c.Admit(Arrival[string, int]{Key: "a", Value: 3})
		time.Sleep(time.Second)

		e, _ := c.TryTake()
		if e.Key != "a" || e.Value != 3 || e.Merged != 2 || e.Attempts != 1 || e.First != 5 || e.Last != 7 {
			t.Errorf("took %+v", e)
		}
		if e.Wait() != 2*time.Second || e.Age() != time.Second {
			t.Errorf("Wait = %v, Age = %v, want 2s and 1s", e.Wait(), e.Age())
		}
		if !e.Inserted().Equal(start) || !e.Newest().Equal(start.Add(time.Second)) || !e.Taken.Equal(time.Now()) {
			t.Errorf("Inserted %v, Newest %v, Taken %v", e.Inserted(), e.Newest(), e.Taken)
		}
	})
}

func TestEntryFromTheFutureHasNotWaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		at := time.Now().Add(time.Hour)
		c.PutAt("a", 1, at)
		e, _ := c.TryTake()
		if e.Wait() != 0 || e.Age() != 0 || !e.Inserted().Equal(at) {
			t.Errorf("Wait = %v, Age = %v, Inserted = %v, want 0, 0 and the stamp", e.Wait(), e.Age(), e.Inserted())
		}
	})
}

// A late arrival does not make the newest value older.
func TestEntryNewestIsTheNewestStamp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mustNew(t, Options[string, int]{})
		now := time.Now()
		c.PutAt("a", 1, now)
		c.PutAt("a", 2, now.Add(-time.Second))
		e, _ := c.TryTake()
		if !e.Newest().Equal(now) || !e.Inserted().Equal(now) {
			t.Errorf("Newest = %v, Inserted = %v, want %v", e.Newest(), e.Inserted(), now)
		}
	})
}

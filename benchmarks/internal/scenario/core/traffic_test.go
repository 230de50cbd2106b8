package core

import (
	"strings"
	"testing"
	"time"
)

// leaky loses one value in a hundred.
type leaky struct {
	store
	puts int
}

func (l *leaky) put(key string, v value, at time.Time) error {
	if l.puts++; l.puts%100 == 0 {
		return nil
	}
	return l.store.put(key, v, at)
}

func newLeaky(t *testing.T) store {
	s, err := newCacheStore()
	if err != nil {
		t.Fatal(err)
	}
	return &leaky{store: s}
}

func TestTrafficNoticesALostValue(t *testing.T) {
	// The values of the last 640 puts are to come through, and some are lost.
	_, err := newTraffic(newLeaky(t), 640, 1, 2).measure(t.Context(), 10*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "ended with value") {
		t.Errorf("got %v", err)
	}
}

func TestTrafficReportsAProducerThatFails(t *testing.T) {
	s, err := newCacheStore()
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	if _, err := newTraffic(s, 64, 2, 2).measure(t.Context(), time.Millisecond); err == nil {
		t.Error("no error")
	}
}

package core

import (
	"testing"
	"time"

	"github.com/headrace/headrace/governor"
)

func TestPermitsNoticeWorkThatIsNotDone(t *testing.T) {
	lazy := func(l *governor.Limiter, n int) error { return tryPermits(l, n-1) }
	if _, err := measurePermits(time.Millisecond, lazy); err == nil {
		t.Error("no error")
	}
}

func TestPermitsNoticeOneThatIsKept(t *testing.T) {
	greedy := func(l *governor.Limiter, n int) error {
		l.TryAcquire()
		return tryPermits(l, n)
	}
	if _, err := measurePermits(time.Millisecond, greedy); err == nil {
		t.Error("no error")
	}
}

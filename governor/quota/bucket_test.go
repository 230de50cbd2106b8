package quota

import (
	"math"
	"testing"
	"time"
)

func TestBucketRemembersDebt(t *testing.T) {
	var b bucket
	b.charge(0, 10, 50) // holds 10
	for at, want := range map[time.Duration]time.Duration{0: 4 * time.Second, time.Second: 3 * time.Second, 4 * time.Second: 0, time.Hour: 0} {
		c := b
		c.fill(at, 10)
		if got := c.debt(10, time.Second, time.Hour); got != want {
			t.Errorf("after %v: %v, want %v", at, got, want)
		}
	}
	if got := b.debt(10, time.Second, 2*time.Second); got != 2*time.Second {
		t.Errorf("at most 2s: %v", got)
	}
}

func TestBucketFollowsTheLimit(t *testing.T) {
	var b bucket
	b.charge(0, 10, 50)
	b.fill(time.Second, 10) // 40 missing
	if got := b.debt(20, time.Second, time.Hour); got != time.Second {
		t.Errorf("twice the limit: %v, want 1s", got)
	}
	b.fill(time.Second, math.Inf(1))
	if b.missing != 0 || b.debt(math.Inf(1), time.Second, time.Hour) != 0 {
		t.Errorf("no limit: %v missing", b.missing)
	}
	b.charge(2*time.Second, math.Inf(1), 50)
	if b.missing != 0 {
		t.Errorf("no limit: %v missing after a charge", b.missing)
	}
}

func TestBucketTimeRunsBack(t *testing.T) {
	var b bucket
	b.charge(10*time.Second, 10, 50)
	b.fill(0, 10)
	b.fill(10*time.Second, 10)
	if b.missing != 50 {
		t.Errorf("%v missing, want 50: the same second must not fill it twice", b.missing)
	}
}

package operators

import (
	"testing"
	"time"
)

const ms = time.Millisecond

func TestTurnsRoundUp(t *testing.T) {
	tests := []struct {
		n    int
		per  time.Duration
		want time.Duration
	}{
		{4, time.Second, 250 * ms},
		{3, time.Second, 333333334},
		{1000, 1, 1},
		{1, 1<<63 - 1, 1<<63 - 1},
	}
	for _, tt := range tests {
		if got := newTurns(tt.n, tt.per, time.Now()).gap; got != tt.want {
			t.Errorf("%d per %v: gap %v, want %v", tt.n, tt.per, got, tt.want)
		}
	}
}

// script feeds values to turns with a clock of its own.
type script struct {
	t     *testing.T
	turns *turns
	start time.Time
}

func newScript(t *testing.T, n int, per time.Duration) script {
	start := time.Unix(1000, 0)
	return script{t, newTurns(n, per, start), start}
}

// value comes at a moment and waits as long as told.
func (s script) value(at, wantWait time.Duration) {
	s.t.Helper()
	if got := s.turns.next(s.start.Add(at)); got != wantWait {
		s.t.Errorf("at %v: waits %v, want %v", at, got, wantWait)
	}
}

func (s script) wakes(at time.Duration) {
	s.turns.woke(s.start.Add(at))
}

func TestTurnsKeepTheirTimesWhenTheTimerIsLate(t *testing.T) {
	s := newScript(t, 100, time.Second) // 10 ms apart
	s.value(0, 0)
	s.value(0, 10*ms)
	s.wakes(35 * ms) // 25 ms late
	s.value(35*ms, 0)
	s.value(35*ms, 0)
	s.value(35*ms, 5*ms) // back on the old beat
}

func TestTurnsEarnNothingInAPause(t *testing.T) {
	s := newScript(t, 100, time.Second)
	s.value(0, 0)
	s.value(0, 10*ms)
	s.wakes(10 * ms) // in time
	s.value(200*ms, 0)
	s.value(200*ms, 10*ms)
}

func TestTurnsMakeUpForAtMostN(t *testing.T) {
	const n = 5
	s := newScript(t, n, 50*ms)
	s.value(0, 0)
	s.value(0, 10*ms)
	hour := time.Hour
	s.wakes(hour)
	for range n {
		s.value(hour, 0)
	}
	s.value(hour, 0)     // the turn that is just now
	s.value(hour, 10*ms) // no flood
}

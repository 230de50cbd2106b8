package governor

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestTokenEndsOnce(t *testing.T) {
	l := newLimiter(t, LimiterOptions{Limit: scripted{2}})
	token := acquired(t, l)
	other := acquired(t, l)
	same := token
	token.Success()
	token.Success()
	same.Dropped()
	same.Ignore()
	same.End(time.Now(), Succeeded)
	if s := l.Stats(); s.Held != 1 || s.InFlight != 1 || s.Succeeded != 1 || s.Dropped+s.Ignored != 0 {
		t.Errorf("%+v", s)
	}
	// An old token cannot end the permit that has its place now.
	next := acquired(t, l)
	token.Success()
	token.Start(time.Now().Add(-time.Hour))
	if s := l.Stats(); s.Held != 2 || len(samplesOf(l)) != 1 {
		t.Errorf("%+v, %d samples", s, len(samplesOf(l)))
	}
	next.Success()
	if got := samplesOf(l)[1].RTT; got > time.Minute {
		t.Errorf("an old token set the clock of a new permit: RTT %v", got)
	}
	other.Success()
	if s := l.Stats(); s.Held != 0 || s.Succeeded != 3 {
		t.Errorf("%+v", s)
	}
}

// Run with -race.
func TestTokenEndsOnceAtOnce(t *testing.T) {
	l := newLimiter(t, LimiterOptions{Limit: Fixed(1)})
	for range 100 {
		token := acquired(t, l)
		var group sync.WaitGroup
		for _, end := range []func(){token.Success, token.Dropped, token.Ignore} {
			group.Go(end)
		}
		group.Wait()
	}
	if s := l.Stats(); s.Held != 0 || s.Succeeded+s.Dropped+s.Ignored != 100 {
		t.Errorf("%+v", s)
	}
}

func TestTokenZero(t *testing.T) {
	var token Token
	token.Start(time.Now())
	token.Success()
	token.Ignore()
	token.Dropped()
	token.End(time.Now(), Succeeded)
}

// A reservation is a permit, but it is not in flight before it is started.
func TestTokenReserved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, LimiterOptions{Limit: scripted{2}})
		idle, err := l.Reserve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s := l.Stats(); s.Held != 1 || s.InFlight != 0 {
			t.Errorf("reserved: %+v", s)
		}
		time.Sleep(time.Hour)
		busy := acquired(t, l)
		if _, ok := l.TryAcquire(); ok {
			t.Error("a third permit of two")
		}
		time.Sleep(10 * ms)
		idle.Start(time.Now())
		if s := l.Stats(); s.Held != 2 || s.InFlight != 2 {
			t.Errorf("started: %+v", s)
		}
		time.Sleep(10 * ms)
		busy.Success()
		idle.End(time.Now().Add(5*ms), Dropped)
		got := samplesOf(l)
		if got[0].InFlight != 1 || got[0].RTT != 20*ms {
			t.Errorf("beside an idle reservation: %+v", got[0])
		}
		if got[1].InFlight != 2 || got[1].RTT != 15*ms || !got[1].Dropped {
			t.Errorf("the reservation: %+v", got[1])
		}
	})
}

// So idle workers with a permit each leave the limit app-limited.
func TestTokenReservedByIdleWorkers(t *testing.T) {
	l := newLimiter(t, LimiterOptions{Limit: &Gradient2{}})
	for range 19 {
		if _, err := l.Reserve(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for range 50 {
		acquired(t, l).Success()
	}
	if s := l.Stats(); s.Limit != 20 || s.Reading.AppLimited != 50 || s.Held != 19 {
		t.Errorf("%+v", s)
	}
}

func TestTokenReservedAndNotUsed(t *testing.T) {
	l := newLimiter(t, LimiterOptions{Limit: scripted{1}})
	for _, end := range []func(Token){Token.Ignore, Token.Success, Token.Dropped} {
		token, err := l.Reserve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		end(token)
	}
	if s := l.Stats(); s.Held != 0 || s.InFlight != 0 || s.Ignored != 3 || len(samplesOf(l)) != 0 {
		t.Errorf("%+v, %d samples", s, len(samplesOf(l)))
	}
}

// Starting again sets the clock, and counts once.
func TestTokenStartedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(t, LimiterOptions{Limit: scripted{3}})
		token := acquired(t, l)
		acquired(t, l)
		time.Sleep(time.Second)
		token.Start(time.Now())
		if got := l.Stats().InFlight; got != 2 {
			t.Errorf("%d in flight, want 2", got)
		}
		time.Sleep(ms)
		token.Success()
		if got := samplesOf(l)[0]; got.RTT != ms || got.InFlight != 1 {
			t.Errorf("%+v, want 1ms, alone at the start", got)
		}
	})
}

// An outcome that there is not is none.
func TestTokenUnknownOutcome(t *testing.T) {
	l := newLimiter(t, LimiterOptions{Limit: scripted{1}})
	acquired(t, l).End(time.Now(), Outcome(9))
	if s := l.Stats(); s.Held != 0 || s.Ignored != 1 {
		t.Errorf("%+v", s)
	}
}

package main

import (
	"strings"
	"testing"
)

var good = summary{
	In: 100, Out: 10, Merged: 90, Balanced: true, Symbols: 5, FinalOK: 5,
	Trades: 40, TradesOK: 40, Overdue: 7, Limit: 36, InFlight: 35,
	DivisorBase: 10, DivisorMax: 30, DivisorEnd: 10, SlowOut: 160.5, SlowFree: 163,
	LastOut: 500, LastServiceP99: 1.1, HighValueWaitP99: 2200, OthersWaitP99: 3200,
	WaitP99: 3000, WaitBound: 3100, ServiceP99: 6.1, AgeP99: 12,
}

func TestSummaryCheck(t *testing.T) {
	if err := good.check(); err != nil {
		t.Errorf("got %v, want no error", err)
	}
	for want, spoil := range map[string]func(*summary){
		"1 of 5 symbols":   func(s *summary) { s.FinalOK-- },
		"1 of 40 trades":   func(s *summary) { s.TradesOK-- },
		"does not balance": func(s *summary) { s.Balanced = false },
		"3 entries still":  func(s *summary) { s.Waiting = 3 },
	} {
		s := good
		spoil(&s)
		if err := s.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

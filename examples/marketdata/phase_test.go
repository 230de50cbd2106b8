package main

import (
	"testing"
	"time"
)

func TestMiddleThird(t *testing.T) {
	start := time.Now()
	p := middleThird(start, 9*time.Second)
	for after, want := range map[time.Duration]bool{
		0: false, 3*time.Second - 1: false, 3 * time.Second: true, 6*time.Second - 1: true, 6 * time.Second: false,
	} {
		if got := p.contains(start.Add(after)); got != want {
			t.Errorf("after %v: %v, want %v", after, got, want)
		}
	}
}

func TestPhaseRepeats(t *testing.T) {
	start := time.Now()
	p := middleThird(start, 0)
	for second := range 45 {
		want := second%15 >= 5 && second%15 < 10
		if got := p.contains(start.Add(time.Duration(second) * time.Second)); got != want {
			t.Errorf("slow %v after %d s", got, second)
		}
	}
}

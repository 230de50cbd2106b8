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

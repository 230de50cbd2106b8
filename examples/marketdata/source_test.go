package main

import (
	"context"
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/pipeline"
)

func TestSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newExchange(options{seed: 1, symbols: 20, rate: 1000})
		open := time.AfterFunc(2*time.Second+time.Millisecond/2, x.close)
		defer open.Stop()
		got, want := make(map[string]Update), make(map[string]Update)
		begin := time.Now()
		quotes := 0
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		for d, err := range pipeline.FromFunc(x.source)(ctx) {
			if err != nil {
				t.Fatal(err)
			}
			if q := d.Value.Update(); d.Value.Complete() && got[q.Symbol] != q {
				got[q.Symbol] = q
				quotes++
			}
		}
		if quotes != 2000 {
			t.Errorf("%d quotes in 2 s, want 2000", quotes)
		}
		if took := time.Since(begin); took != 5*time.Second {
			t.Errorf("the source ended after %v, want when its context did, after 5 s", took)
		}
		for q := range x.last() {
			want[q.Symbol] = q
		}
		if !maps.Equal(got, want) {
			t.Errorf("last quotes %v, want %v", want, got)
		}
		x.close() // twice is harmless
	})
}

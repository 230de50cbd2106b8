package load

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/scenario/load/mbo"
)

func TestReaderDoesNotMakeUpForIdleness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &reader{book: make(mbo.Depth), wait: newWaits()}
		r.pace = pace{start: time.Now(), rate: 1000}
		time.Sleep(time.Second)
		from := time.Now()
		for range 10 {
			r.read(from, mbo.Level{Place: mbo.Place{Side: mbo.Bid}, Size: 1}, from, 2)
		}
		r.took(10)
		r.took(10)
		if took := time.Since(from); took < 8*time.Millisecond {
			t.Errorf("20 updates took %v, want 10ms for the last ten, less two ticks", took)
		}
		if r.updates != 10 || r.merged != 20 || len(r.book) != 1 {
			t.Errorf("%d updates, %d merged, %d levels", r.updates, r.merged, len(r.book))
		}
	})
}

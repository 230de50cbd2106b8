package load

import (
	"sync/atomic"
	"time"

	"github.com/headrace/headrace/benchmarks/internal/scenario/load/mbo"
)

// reader is the consumer of a replay: it keeps a book of the levels that it
// gets, at a pace.
type reader struct {
	pace    pace
	ended   atomic.Bool // the recording has, and the rest goes as fast as it can
	book    mbo.Depth
	wait    waits
	updates int
	taken   int // by the end of the recording
	merged  int
}

// read takes an update into account.
func (r *reader) read(now time.Time, l mbo.Level, first time.Time, merged int) {
	r.book.Set(l)
	r.updates++
	r.merged += merged
	if !r.ended.Load() {
		r.taken++
		r.wait.add(now.Sub(first))
	}
}

// took paces the updates that were read last.
func (r *reader) took(n int) {
	if !r.ended.Load() {
		r.pace.took(n)
	}
}

package pipeline

import (
	"sync/atomic"

	"github.com/headrace/headrace/governor"
)

// decided counts the decisions of a governor by reason. The zero value is
// ready to use.
type decided [32]atomic.Uint64 // more than there are reasons

func (d *decided) add(reason governor.Reason) { d[int(reason)%len(d)].Add(1) }

func (d *decided) counts() map[governor.Reason]uint64 {
	counts := make(map[governor.Reason]uint64)
	for reason := range d {
		if n := d[reason].Load(); n > 0 {
			counts[governor.Reason(reason)] = n
		}
	}
	return counts
}

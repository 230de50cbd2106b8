package load

import (
	"sort"
	"time"
)

// drain remembers how fast a consumer took entries.
type drain struct{ marks []mark }

// mark says how many entries had been taken at a time.
type mark struct {
	taken int
	at    time.Time
}

func (d *drain) took(n int, at time.Time) {
	if len(d.marks) > 0 {
		n += d.marks[len(d.marks)-1].taken
	}
	d.marks = append(d.marks, mark{n, at})
}

// last returns the time in which the last n entries were taken, up to a batch
// more of them. It reports false if there were fewer.
func (d *drain) last(n int) (time.Duration, bool) {
	if len(d.marks) == 0 {
		return 0, false
	}
	now := d.marks[len(d.marks)-1]
	i := sort.Search(len(d.marks), func(i int) bool { return d.marks[i].taken > now.taken-n })
	if i == 0 {
		return 0, false
	}
	return now.at.Sub(d.marks[i-1].at), true
}

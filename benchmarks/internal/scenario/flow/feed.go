package flow

import (
	"iter"
	"math/rand/v2"
	"strconv"
	"time"
)

// universe is the symbols of a case, and the order in which they are updated.
type universe struct {
	symbols []string
	draws   []int32 // drawn in turn, a power of two of them; nil: each symbol once
}

// recurring returns n symbols that are updated at random, all as often.
func recurring(n int) *universe {
	u := &universe{symbols: symbols(n), draws: make([]int32, 1<<16)}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range u.draws {
		u.draws[i] = random.Int32N(int32(n))
	}
	return u
}

// distinct returns n symbols that are updated once each.
func distinct(n int) *universe { return &universe{symbols: symbols(n)} }

func symbols(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = "S" + strconv.Itoa(1_000_000+i)
	}
	return all
}

func (u *universe) id(n int) int {
	if u.draws == nil {
		return n
	}
	return int(u.draws[n&(len(u.draws)-1)])
}

// feed is the source of one measurement: it yields quotes until its time is
// over, or its count. The measurement begins with the first.
type feed struct {
	*universe
	about time.Duration // to feed for
	most  int           // quotes; 0: no bound

	sent  int
	start time.Time
	end   time.Time // when all had arrived, if the path stopped later than that
	began func()    // called before the first quote, and again when nothing new comes any more
}

// next returns the next quote, or false at the end.
func (f *feed) next() (q quote, ok bool) {
	n := f.sent
	if n&255 == 0 && f.over(n) || n == f.most && n > 0 {
		return q, false
	}
	f.sent++
	id := f.id(n)
	return quote{
		Symbol: f.symbols[id],
		ID:     id,
		Number: n + 1,
		Bid:    float64(id),
		Ask:    float64(id + 1),
		Size:   n % 10,
	}, true
}

// over reports whether the time is over.
func (f *feed) over(n int) bool {
	if n == 0 {
		f.began()
		f.start = time.Now()
		return false
	}
	if f.about > 0 && time.Since(f.start) >= f.about {
		return true
	}
	if n == f.known() {
		f.began()
	}
	return false
}

// known returns after how many quotes each symbol has come at least once, but for
// one in a thousand. 0 if none comes twice.
func (f *feed) known() int {
	if f.draws == nil {
		return 0
	}
	return (8*len(f.symbols) + 255) &^ 255
}

// all is the feed as a sequence.
func (f *feed) all() iter.Seq[quote] {
	return func(yield func(quote) bool) {
		for {
			q, ok := f.next()
			if !ok || !yield(q) {
				return
			}
		}
	}
}

// elapsed returns the time from the first quote until all had arrived: until
// now, unless the path told better.
func (f *feed) elapsed() time.Duration {
	if f.end.IsZero() {
		return time.Since(f.start)
	}
	return f.end.Sub(f.start)
}

// arrived notes that all quotes have arrived.
func (f *feed) arrived() { f.end = time.Now() }

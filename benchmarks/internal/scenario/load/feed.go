package load

import (
	"context"
	"time"
)

// feed yields values at a rate, whether or not the side can take them. A value
// counts as arrived when it is due, and what was held up is made up for: a side
// that is slow to take values gets no fewer of them, and is charged for the wait.
// A stall of the machine is charged to whoever it meets.
type feed struct {
	keys   keys
	rate   float64       // values a second
	length time.Duration // from the start
	warm   time.Duration // until the measurement begins
	onHalf func()        // called when half of that is over
	onWarm func()
	fill   bool // begin with a value of each key, so that many keys wait early

	start  time.Time
	filled int      // values yielded before that
	fed    int      // values yielded since
	last   []uint64 // sequence number of the last value of each key
	half   bool
	warmed bool
}

// run yields values until length has passed or ctx ends.
func (f *feed) run(ctx context.Context, yield func(quote) bool) {
	f.last = make([]uint64, len(f.keys.symbols))
	if f.fill {
		f.fillUp(yield)
	}
	for ctx.Err() == nil {
		elapsed, more := f.elapsed()
		if !more || !f.catchUp(int(elapsed.Seconds()*f.rate), yield) {
			return
		}
		time.Sleep(tick)
	}
}

// fillUp yields a value of each key and starts the clock anew. A side that
// blocks is spared most of them.
func (f *feed) fillUp(yield func(quote) bool) {
	for key := range f.keys.symbols {
		now := time.Now()
		if now.Sub(f.start) > f.warm {
			break
		}
		f.filled++
		yield(f.value(key, now))
	}
	f.start = time.Now()
}

// catchUp yields what is due, and reports whether there is to be more.
func (f *feed) catchUp(due int, yield func(quote) bool) bool {
	for f.fed < due {
		// A side that blocks is not to hold the feed beyond its time.
		if f.fed%64 == 0 {
			if _, more := f.elapsed(); !more {
				return false
			}
		}
		if !yield(f.next()) {
			return false
		}
	}
	return true
}

// elapsed returns the time since the start, and whether there is some left.
func (f *feed) elapsed() (since time.Duration, more bool) {
	since = time.Since(f.start)
	if !f.half && since >= f.warm/2 {
		f.half = true
		f.onHalf()
		f.start = f.start.Add(time.Since(f.start) - since) // it collects garbage, which is no load
	}
	if !f.warmed && since >= f.warm {
		f.warmed = true
		f.onWarm()
		f.length += since - f.warm // what is measured stays as long
	}
	return since, since < f.length
}

// after returns how long after the start a value is due.
func (f *feed) after(n int) time.Duration {
	return time.Duration(float64(n) * float64(time.Second) / f.rate)
}

func (f *feed) next() quote {
	key := int(f.keys.picks[f.fed%len(f.keys.picks)])
	due := f.start.Add(f.after(f.fed))
	f.fed++
	return f.value(key, due)
}

func (f *feed) value(key int, due time.Time) quote {
	sequence := uint64(f.filled + f.fed)
	f.last[key] = sequence
	return quote{
		symbol:   f.keys.symbols[key],
		due:      due,
		key:      key,
		sequence: sequence,
		price:    float64(sequence),
	}
}

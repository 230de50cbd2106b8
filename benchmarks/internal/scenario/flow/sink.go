package flow

import "fmt"

// sink is what every side ends in. It remembers enough to tell whether the work
// was done.
type sink struct {
	count    int   // quotes that arrived
	merged   int   // quotes that were merged into them, as far as the side tells
	last     []int // number of the newest quote, by ID; 0 for none
	disorder int   // quotes that came after a newer one, or twice
}

func (s *sink) take(q *quote) {
	s.count++
	if last := &s.last[q.ID]; q.Number > *last {
		*last = q.Number
	} else {
		s.disorder++
	}
}

// kind says what a side promises of the quotes.
type kind uint8

const (
	whole     kind = iota // every quote arrives, in the order of its key
	unordered             // every quote arrives
	latest                // the last quote of every key arrives; others may not
	counted               // as latest, and the side tells how many were merged
)

// check returns an error unless the sink got what the feed sent.
func (s *sink) check(f *feed, k kind) error {
	passed := 0
	want := make([]int, len(f.symbols))
	for n := range f.sent {
		if n%10 > 0 {
			passed++
			want[f.id(n)] = n + 1
		}
	}
	switch {
	case passed == 0:
		return fmt.Errorf("flow: nothing was sent")
	case k != unordered && s.disorder > 0:
		return fmt.Errorf("flow: %d quotes out of order", s.disorder)
	case (k == whole || k == unordered) && s.count != passed:
		return fmt.Errorf("flow: %d quotes arrived, want %d", s.count, passed)
	case k == latest && (s.count == 0 || s.count > passed):
		return fmt.Errorf("flow: %d quotes arrived of %d", s.count, passed)
	case k == counted && s.count+s.merged != passed:
		return fmt.Errorf("flow: %d quotes arrived and %d were merged, want %d", s.count, s.merged, passed)
	}
	for id := range want {
		if s.last[id] != want[id] {
			return fmt.Errorf("flow: last quote of %s is %d, want %d", f.symbols[id], s.last[id], want[id])
		}
	}
	return nil
}

package flow

import "context"

// throughList is two goroutines with a hand-written conflating queue between
// them, which the consumer empties in batches as Headrace's does.
func throughList(_ context.Context, f *feed, s *sink) error {
	queue := newConflating[string, quote]()
	go func() {
		defer queue.close()
		for q := range f.all() {
			if q = priced(q); firm(q) {
				queue.put(q.Symbol, q)
			}
		}
	}()
	quotes := make([]quote, batch)
	for n := queue.take(quotes); n > 0; n = queue.take(quotes) {
		for i := range quotes[:n] {
			s.take(&quotes[i])
		}
	}
	return nil
}

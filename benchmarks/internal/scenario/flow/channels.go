package flow

import "context"

// throughChannels is four goroutines, source, map, filter and sink, joined by
// channels.
func throughChannels(buffer int) path {
	return func(_ context.Context, f *feed, s *sink) error {
		sent := make(chan quote, buffer)
		mapped := make(chan quote, buffer)
		kept := make(chan quote, buffer)
		go func() {
			defer close(sent)
			for q := range f.all() {
				sent <- q
			}
		}()
		go func() {
			defer close(mapped)
			for q := range sent {
				mapped <- priced(q)
			}
		}()
		go func() {
			defer close(kept)
			for q := range mapped {
				if firm(q) {
					kept <- q
				}
			}
		}()
		for q := range kept {
			s.take(&q)
		}
		return nil
	}
}

// throughOneChannel is two goroutines: all steps in one loop, and the sink.
func throughOneChannel(_ context.Context, f *feed, s *sink) error {
	kept := make(chan quote, 256)
	go func() {
		defer close(kept)
		for q := range f.all() {
			if q = priced(q); firm(q) {
				kept <- q
			}
		}
	}()
	for q := range kept {
		s.take(&q)
	}
	return nil
}

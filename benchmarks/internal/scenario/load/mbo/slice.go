package mbo

import "time"

// Busiest returns the bounds of the stretch of so long with the most events
// after the first burst, which is the snapshot of the book.
func Busiest(events []Event, length time.Duration) (from, to int) {
	begin := 0
	for begin < len(events) && events[begin].Received == events[0].Received {
		begin++
	}
	end := begin
	for i := begin; i < len(events); i++ {
		for end < len(events) && events[end].Received-events[i].Received < int64(length) {
			end++
		}
		if end-i > to-from {
			from, to = i, end
		}
	}
	return from, to
}

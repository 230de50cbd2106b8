package main

import "slices"

// plan returns the owners of partitions for the workers that are there, given
// those of now. The worker with the most partitions has at most one more than
// that with the least, and no more partitions move than that takes. A partition
// whose owner is not there gets another. Without workers nobody owns anything.
func plan(owners, workers []string) []string {
	next := make([]string, len(owners))
	if len(workers) == 0 {
		return next
	}
	workers = slices.Sorted(slices.Values(workers))
	count := make(map[string]int)
	for _, o := range owners {
		count[o]++
	}
	// Those that have the most may have the extra ones, so that these stay.
	slices.SortStableFunc(workers, func(a, b string) int { return count[b] - count[a] })
	room := make(map[string]int)
	for i, w := range workers {
		room[w] = len(owners) / len(workers)
		if i < len(owners)%len(workers) {
			room[w]++
		}
	}
	for p, o := range owners {
		if room[o] > 0 {
			next[p] = o
			room[o]--
		}
	}
	for p := range next {
		if next[p] != "" {
			continue
		}
		for _, w := range workers {
			if room[w] > room[next[p]] {
				next[p] = w
			}
		}
		room[next[p]]--
	}
	return next
}

//go:build !race

package cache

// raceEnabled makes tests of size small enough for the race detector.
const raceEnabled = false

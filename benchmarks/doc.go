// Package benchmarks compares Headrace with what else there is. It is a module
// of its own, so that no user of the library inherits the rivals.
//
//	go test -bench . -count 7 ./... | benchstat -
package benchmarks

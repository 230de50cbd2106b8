module github.com/headrace/headrace/benchmarks

go 1.26.0

replace github.com/headrace/headrace => ..

require (
	github.com/failsafe-go/failsafe-go v0.9.8
	github.com/headrace/headrace v0.0.0-00010101000000-000000000000
)

require (
	github.com/bits-and-blooms/bitset v1.24.4 // indirect
	github.com/influxdata/tdigest v0.0.1 // indirect
)

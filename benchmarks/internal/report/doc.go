// Package report shows what a run of the benchmarks measured: as a table on the
// terminal, as an HTML page that needs nothing beside itself, and raw as JSON and
// CSV.
package report

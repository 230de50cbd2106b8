// Benchmarks compares Headrace with what else there is: each side does the same
// work, in the same run, on the same machine. It is a module of its own, so that
// no user of the library inherits the rivals.
//
//	go run ./benchmarks                           # everything, some minutes
//	go run ./benchmarks -quick                    # everything smaller, under 90 s
//	go run ./benchmarks -list                     # the scenarios and their cases
//	go run ./benchmarks -scenario merge,cycle -runs 11 -out report
//	go run ./benchmarks -quick -check -margin 1.5 # for CI
//
// At the end it prints a table. A line of it is a figure of Headrace, the figure
// of a rival from the same runs, the ratio of the two with its quartiles, and the
// bar that this ratio or figure should reach. A bar holds if the median reaches
// it; "holds (noisy)" says that a quartile does not. A goal is what a later
// version should do; it is reached or not reached, and fails nothing. Figures
// without a bar or a goal are printed with -all.
//
// With -out it writes report.html, which needs nothing beside itself,
// results.json with everything that was measured, bars.csv with a line for each
// row of the table, and samples.csv with a line for each figure of each run.
//
// With -check the exit status is 1 if a bar does not hold in the median, if a
// side failed, or if something was not measured. It is 1 for a run that ends early
// too, because it is interrupted or a side hangs; that still reports what it has.
// It is 2 for wrong flags.
//
// docs/benchmarks.md in the repository says what is measured, and what the
// figures do not say.
package main

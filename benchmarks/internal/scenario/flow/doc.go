// Package flow measures values on their way from a producer to a consumer:
// through a whole pipeline (endtoend), one at a time through an idle one (hop),
// and in the workload of the performance test of LMAX's coalescing ring buffer
// (lmax).
package flow

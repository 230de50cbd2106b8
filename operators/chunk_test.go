package operators_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/headrace/headrace/operators"
)

func ExampleChunk() {
	for c := range operators.Chunk(slices.Values([]int{1, 2, 3, 4, 5}), 2) {
		fmt.Println(c)
	}
	// Output:
	// [1 2]
	// [3 4]
	// [5]
}

func TestChunkSizes(t *testing.T) {
	tests := []struct {
		in, n int
		want  string
	}{
		{0, 3, "[]"},
		{2, 3, "[[1 2]]"},
		{3, 3, "[[1 2 3]]"},
		{4, 3, "[[1 2 3] [4]]"},
		{3, 1, "[[1] [2] [3]]"},
	}
	for _, tt := range tests {
		seq := operators.Chunk(upTo(tt.in), tt.n)
		for range 2 { // a second range is like the first
			if got := fmt.Sprint(slices.Collect(seq)); got != tt.want {
				t.Errorf("%d values in chunks of %d: got %s, want %s", tt.in, tt.n, got, tt.want)
			}
		}
	}
}

func TestChunksAreTheCallersToKeep(t *testing.T) {
	var chunks [][]int
	for c := range operators.Chunk(upTo(4), 2) {
		chunks = append(chunks, append(c, 0)) // would write into the next one if they shared memory
	}
	if got := fmt.Sprint(chunks); got != "[[1 2 0] [3 4 0]]" {
		t.Errorf("got %s", got)
	}
}

func TestChunkBreakStopsTheInput(t *testing.T) {
	var in feed
	for range operators.Chunk(in.upTo(10), 3) {
		break
	}
	if in.pulled != 3 {
		t.Errorf("%d values asked for, want 3", in.pulled)
	}
}

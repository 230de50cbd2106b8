package operators_test

import (
	"context"
	"testing"
	"time"

	"github.com/headrace/headrace/operators"
)

// Nonsense panics when the operator is called; none of these is ranged over.
func TestPanicsOnNonsense(t *testing.T) {
	ctx := context.Background()
	f := func(context.Context, int) (int, error) { return 0, nil }
	at := func(int) time.Time { return time.Time{} }
	tests := []struct {
		want string
		call func()
	}{
		{"operators: EveryNth: n < 1", func() { operators.EveryNth(operators.Sequence(upTo(1)), 0) }},
		{"operators: Chunk: n < 1", func() { operators.Chunk(upTo(1), 0) }},
		{"operators: Throttle: n < 1", func() { operators.Throttle(ctx, upTo(1), 0, time.Second) }},
		{"operators: Throttle: per < 1", func() { operators.Throttle(ctx, upTo(1), 1, 0) }},
		{"operators: Parallel: n < 1", func() { operators.Parallel(ctx, upTo(1), 0, f) }},
		{"operators: Tumble: width < 1", func() { operators.Tumble(upTo(1), 0, at, even, 0, add, func(int) {}) }},
		{"operators: Tumble: late is nil", func() { operators.Tumble(upTo(1), 1, at, even, 0, add, nil) }},
		{"operators: TumbleCount: n < 1", func() { operators.TumbleCount(upTo(1), 0, even, 0, add) }},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			defer func() {
				if got := recover(); got != tt.want {
					t.Errorf("panic %v, want %v", got, tt.want)
				}
			}()
			tt.call()
		})
	}
}

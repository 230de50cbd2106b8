package jetstream

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	js "github.com/nats-io/nats.go/jetstream"
)

// resume waits until all that the server has delivered and nobody has settled
// is in hand, and puts it in order.
//
// After a crash it is needed for the order: what the dead process had in hand
// comes again only when its AckWait is over, while newer messages come at once.
// Without the wait, the last value of a key that is processed could be an old
// one. AckWait bounds the wait: by then the server has given up on the dead.
func (in *inbox) resume(ctx context.Context, consumer js.Consumer) {
	wait := redelivery(consumer)
	limit := time.NewTimer(wait + wait/4)
	defer limit.Stop()
	look := time.NewTicker(max(wait/50, time.Millisecond))
	defer look.Stop()
	for {
		if all, err := in.hand.hasAll(ctx, consumer); err == nil && all || in.failed() {
			break
		}
		select {
		case <-look.C:
			continue
		case <-limit.C:
		case <-ctx.Done():
		}
		break
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	slices.SortStableFunc(in.line, func(a, b *message) int { return cmp.Compare(a.id.sequence, b.id.sequence) })
}

// redelivery is after how long the server delivers again what was lost.
func redelivery(consumer js.Consumer) time.Duration {
	c := consumer.CachedInfo().Config
	return max(c.AckWait, slices.Max(append(c.BackOff, 0)))
}

// hasAll reports whether all messages that the server takes for in hand are. To
// err on the safe side, it counts them before it asks, less those that are
// settled until the answer comes: the server may have counted these, or not.
func (h *hand) hasAll(ctx context.Context, consumer js.Consumer) (bool, error) {
	held, settled := h.count()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	info, err := consumer.Info(ctx)
	if err != nil {
		return false, fmt.Errorf("jetstream: %w", err)
	}
	_, settledNow := h.count()
	return info.NumAckPending <= held-(settledNow-settled), nil
}

// count returns how many messages are in hand, and how many ever left it.
func (h *hand) count() (held, settled int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.messages), h.settled
}

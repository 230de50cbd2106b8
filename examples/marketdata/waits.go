package main

import (
	"sync"
	"time"

	"github.com/headrace/headrace/governor"
)

// waits collects how long entries have waited, the high-value ones apart from
// the others: the statistics of a pipeline do not tell keys apart.
type waits struct {
	mu     sync.Mutex
	values [2]governor.Durations // others, high-value
}

// waitP99 is the p99 of a second, 0 if nothing was processed.
type waitP99 struct{ highValue, others time.Duration }

func (w *waits) add(symbol string, wait time.Duration) {
	i := 0
	if highValue(symbol) {
		i = 1
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.values[i] = append(w.values[i], wait)
}

// next returns the p99 of what was added since the last call.
func (w *waits) next() waitP99 {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := waitP99{highValue: w.values[1].Quantile(0.99), others: w.values[0].Quantile(0.99)}
	for i := range w.values {
		w.values[i] = w.values[i][:0]
	}
	return p
}

// worse returns the larger ones of two.
func (p waitP99) worse(other waitP99) waitP99 {
	return waitP99{max(p.highValue, other.highValue), max(p.others, other.others)}
}

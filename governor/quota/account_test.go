package quota

import (
	"testing"
	"time"
)

// Two gates resolve at the same time: one has read the rules just before they were
// changed, and comes last.
func TestOldRulesDoNotReplaceNewOnes(t *testing.T) {
	q := mustNew(t, Options{})
	a := newAccount(producerBytes, Entity{}, &q.options)
	first := newRules(1, nil, 1)
	second := first.withProducers(2)
	a.setLimit(0, limit{rules: second, rate: 2})
	a.setLimit(0, limit{rules: first, rate: 1})
	if a.limit.rate != 2 {
		t.Errorf("the limit is %v, want the new one, 2", a.limit.rate)
	}
	a.setLimit(0, limit{rules: second.withProducers(3), rate: 3})
	if a.limit.rate != 3 {
		t.Errorf("the limit is %v, want the newest, 3", a.limit.rate)
	}
}

func TestLaterDoesNotOverflow(t *testing.T) {
	if got := later(time.Hour, 1<<63-1); got != 1<<63-1 {
		t.Errorf("got %v", got)
	}
	if got := (Delay{Bytes: 1<<63 - 1, Time: time.Second}).Total(); got != 1<<63-1 {
		t.Errorf("got %v", got)
	}
}

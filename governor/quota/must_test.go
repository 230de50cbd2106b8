package quota

import "testing"

func mustNew(t testing.TB, o Options) *Quotas {
	t.Helper()
	q, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func mustAlter(t testing.TB, q *Quotas, e Entity, changes ...Change) {
	t.Helper()
	if err := q.Alter(e, changes...); err != nil {
		t.Fatal(err)
	}
}

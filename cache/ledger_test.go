package cache

import (
	"strings"
	"testing"
)

func TestLedgerCheckNamesTheSum(t *testing.T) {
	good := Ledger{
		Puts: 50, Inserted: 36, Merged: 2, Stale: 3, Annihilated: 5, Rejected: 4,
		Done: 1, Dead: 2, Evicted: 3, Expired: 10, Joined: 4, Waiting: 5, Leased: 6,
		Bytes: 99,
	}
	if err := good.Check(); err != nil {
		t.Errorf("a good ledger: %v", err)
	}
	if err := (Ledger{}).Check(); err != nil {
		t.Errorf("an empty ledger: %v", err)
	}
	tests := []struct {
		sum    string
		counts []func(*Ledger) *uint64
	}{
		{"puts", []func(*Ledger) *uint64{
			func(l *Ledger) *uint64 { return &l.Puts },
			func(l *Ledger) *uint64 { return &l.Merged },
			func(l *Ledger) *uint64 { return &l.Stale },
			func(l *Ledger) *uint64 { return &l.Annihilated },
			func(l *Ledger) *uint64 { return &l.Rejected },
		}},
		{"inserted", []func(*Ledger) *uint64{
			func(l *Ledger) *uint64 { return &l.Done },
			func(l *Ledger) *uint64 { return &l.Dead },
			func(l *Ledger) *uint64 { return &l.Evicted },
			func(l *Ledger) *uint64 { return &l.Expired },
			func(l *Ledger) *uint64 { return &l.Joined },
			func(l *Ledger) *uint64 { return &l.Waiting },
			func(l *Ledger) *uint64 { return &l.Leased },
		}},
	}
	for _, test := range tests {
		for i, count := range test.counts {
			bad := good
			*count(&bad)++
			if err := bad.Check(); err == nil || !strings.Contains(err.Error(), " "+test.sum) {
				t.Errorf("%s, count %d off by one: %v", test.sum, i, err)
			}
		}
	}
}

// A ledger is a copy as of one instant.
func TestLedgerIsASnapshot(t *testing.T) {
	c := mustNew(t, Options[string, int]{MaxEntries: 1})
	c.Put("a", 1)
	before := c.Ledger()
	c.Put("a", 2)
	c.Put("b", 1)
	want := Ledger{Puts: 1, Inserted: 1, Waiting: 1}
	if before != want {
		t.Errorf("%+v, want %+v", before, want)
	}
	want = Ledger{Puts: 3, Inserted: 1, Merged: 1, Rejected: 1, Waiting: 1}
	if got := c.Ledger(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

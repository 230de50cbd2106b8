package cache

import (
	"strings"
	"testing"
)

func TestNewNamesTheFieldAtFault(t *testing.T) {
	tests := []struct {
		field   string
		options Options[string, int]
	}{
		{"MergeInto", Options[string, int]{Merge: Sum[int], MergeInto: func(_, _ *int) {}}},
		{"MaxEntries", Options[string, int]{MaxEntries: -1}},
		{"Overflow", Options[string, int]{MaxEntries: 1, Overflow: EvictOldest + 1}},
		{"MaxEntries", Options[string, int]{Overflow: Reject}},
		{"MaxEntries", Options[string, int]{Overflow: EvictOldest}},
		{"MaxBytes", Options[string, int]{Overflow: Reject}},
		{"MaxBytes", Options[string, int]{MaxBytes: -1, SizeOf: sized}},
		{"SizeOf", Options[string, int]{MaxBytes: 1}},
		{"MaxAge", Options[string, int]{MaxAge: -1}},
		{"Expiry", Options[string, int]{MaxAge: 1, Expiry: Drop + 1}},
		{"MaxAge", Options[string, int]{Expiry: Drop}},
	}
	for _, test := range tests {
		c, err := New(test.options)
		if c != nil || err == nil || !strings.Contains(err.Error(), test.field) {
			t.Errorf("New(%+v) = %v, %v, want an error that names %s", test.options, c, err, test.field)
		}
	}
}

func TestBoundsThatGoTogether(t *testing.T) {
	for _, o := range []Options[string, int]{
		{MaxEntries: 1, Overflow: Reject},
		{MaxBytes: 1, SizeOf: sized, Overflow: EvictOldest},
		{MaxAge: 1, Expiry: Drop},
		{SizeOf: sized},
	} {
		if _, err := New(o); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestZeroOptionsKeepTheLatestWithoutBounds(t *testing.T) {
	c := mustNew(t, Options[int, int]{})
	const n = 10_000
	for i := range 2 * n {
		if err := c.Put(i%n, i); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		if e, _ := c.TryTake(); e.Key != i || e.Value != i+n {
			t.Fatalf("took %d: %d, want %d: %d", e.Key, e.Value, i, i+n)
		}
	}
}

func TestReasonString(t *testing.T) {
	for reason, want := range map[Reason]string{Evicted: "evicted", Expired: "expired", Stale: "stale", Annihilated: "annihilated", Rejected: "rejected", Dead: "dead", 0: "Reason(0)", 9: "Reason(9)"} {
		if got := reason.String(); got != want {
			t.Errorf("Reason %d is %q, want %q", uint8(reason), got, want)
		}
	}
}

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
		{"MaxEntries", Options[string, int]{MaxEntries: -1}},
		{"Overflow", Options[string, int]{MaxEntries: 1, Overflow: EvictOldest + 1}},
		{"MaxEntries", Options[string, int]{Overflow: Reject}},
		{"MaxEntries", Options[string, int]{Overflow: EvictOldest}},
	}
	for _, test := range tests {
		c, err := New(test.options)
		if c != nil || err == nil || !strings.Contains(err.Error(), test.field) {
			t.Errorf("New(%+v) = %v, %v, want an error that names %s", test.options, c, err, test.field)
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
	for reason, want := range map[Reason]string{Evicted: "evicted", Stale: "stale", Dead: "dead", 0: "Reason(0)", 9: "Reason(9)"} {
		if got := reason.String(); got != want {
			t.Errorf("Reason %d is %q, want %q", uint8(reason), got, want)
		}
	}
}

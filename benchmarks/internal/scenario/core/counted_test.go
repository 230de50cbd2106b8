package core

import "testing"

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{
		1: "1 key", 8: "8 keys", 999: "999 keys", 1_000: "1,000 keys", 100_000: "100,000 keys", 1_000_000: "1,000,000 keys",
	} {
		if got := counted(n, "key"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

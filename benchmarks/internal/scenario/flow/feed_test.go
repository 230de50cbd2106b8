package flow

import (
	"testing"
	"time"
	"unsafe"
)

func TestQuoteIs64Bytes(t *testing.T) {
	if got := unsafe.Sizeof(quote{}); got != 64 {
		t.Errorf("%d bytes", got)
	}
	q := priced(quote{Symbol: "S1000001", ID: 1, Number: 2, Bid: 3, Ask: 4, Size: 5})
	if b := payload(&q); len(b) != 56 || fromPayload(b) != q {
		t.Errorf("%d bytes of payload hold %v, want %v", len(b), fromPayload(b), q)
	}
}

// A feed ends after its count, or its time.
func TestFeedEnds(t *testing.T) {
	count := func(f *feed, begins int) (n int) {
		begun := 0
		f.began = func() { begun++ }
		for q := range f.all() {
			if n++; q.Number != n || f.symbols[q.ID] != q.Symbol {
				t.Fatalf("quote %d is %v", n, q)
			}
		}
		if begun != begins {
			t.Errorf("began %d times", begun)
		}
		return n
	}
	if n := count(&feed{universe: distinct(1000), about: time.Hour, most: 1000}, 1); n != 1000 {
		t.Errorf("%d quotes, want 1000", n)
	}
	if n := count(&feed{universe: recurring(10), about: time.Millisecond}, 2); n == 0 || n%256 != 0 {
		t.Errorf("%d quotes, want some multiple of 256", n)
	}
}

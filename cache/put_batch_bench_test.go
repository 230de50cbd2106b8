package cache

import (
	"testing"
	"time"
)

// What a batch costs: values for keys that wait, new ones that are taken again,
// and ones with a receipt, which take the slow way.
func BenchmarkAdmitBatch(b *testing.B) {
	ks := keys(64)
	at := time.Now()
	receipt := &stub{diary: new([]string)}
	for name, receipt := range map[string]Receipt{"plain": nil, "receipts": receipt} {
		batch := make([]arrival, len(ks))
		for i, key := range ks {
			batch[i] = arrival{Key: key, At: at, Receipt: receipt}
		}
		b.Run("merge/"+name, func(b *testing.B) {
			c := mustNew(b, Options[string, int]{Merge: Sum[int]})
			if receipt != nil {
				c = mustNew(b, Options[string, int]{Merge: func(_, v int) int { return v }, Replaces: true})
			}
			for i := 0; i < b.N; i += len(batch) {
				c.AdmitBatch(b.Context(), batch)
				emptyDiary(receipt)
			}
		})
		b.Run("cycle/"+name, func(b *testing.B) {
			c := mustNew(b, Options[string, int]{})
			entries := make([]Entry[string, int], len(batch))
			for i := 0; i < b.N; i += len(batch) {
				c.AdmitBatch(b.Context(), batch)
				n, _ := c.TakeBatch(b.Context(), entries)
				c.Done(entries[:n]...)
				emptyDiary(receipt)
			}
		})
	}
}

// emptyDiary empties the diary of a receipt.
func emptyDiary(r Receipt) {
	if s, ok := r.(*stub); ok {
		*s.diary = (*s.diary)[:0]
	}
}

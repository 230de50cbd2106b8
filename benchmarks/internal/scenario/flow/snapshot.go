package flow

import (
	"math/bits"
	"math/rand/v2"
)

// snapshot is the value of LMAX's test: three words.
type snapshot struct {
	Instrument uint64 // from 0
	Bid, Ask   uint64
}

// popular returns 512 snapshots of 10 instruments, in the order of LMAX's test:
// half of them are of the first instrument, a quarter of the second, and so on.
func popular() []snapshot {
	all := make([]snapshot, 512)
	for i := range all {
		all[i] = snapshot{uint64(min(bits.TrailingZeros(uint(i)|1<<9), 9)), uint64(i), uint64(i + 1)}
	}
	return all
}

// uniform returns snapshots of 1,000 instruments, drawn with equal chances.
func uniform() []snapshot {
	random := rand.New(rand.NewPCG(3, 4))
	all := make([]snapshot, 1<<14)
	for i := range all {
		all[i] = snapshot{random.Uint64N(1000), uint64(i), uint64(i + 1)}
	}
	return all
}

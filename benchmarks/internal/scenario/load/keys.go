package load

import (
	"math/rand/v2"
	"strconv"
)

const (
	zipfExponent = 1.1
	fewestPicks  = 1 << 18
)

// keys are the symbols of a load, and which of them the values have: over and
// over the same random picks.
type keys struct {
	symbols []string
	picks   []int32
}

func newKeys(n int, zipf bool) keys {
	k := keys{make([]string, n), make([]int32, max(fewestPicks, 4*n))}
	for i := range k.symbols {
		k.symbols[i] = "symbol-" + strconv.Itoa(i)
	}
	random := rand.New(rand.NewPCG(1, uint64(n)))
	pick := func() int32 { return random.Int32N(int32(n)) }
	if zipf {
		z := rand.NewZipf(random, zipfExponent, 1, uint64(n-1))
		pick = func() int32 { return int32(z.Uint64()) }
	}
	for i := range k.picks {
		k.picks[i] = pick()
	}
	return k
}

package governor

// phase counts beats towards the next pass. It keeps its place when the divisor
// changes. With a constant divisor and no missed beat, beat n passes if
// n % divisor == 0.
type phase uint64

// advance counts beats and returns how many passes they make.
func (p *phase) advance(beats uint64, divisor int) uint64 {
	d := uint64(divisor)
	total := uint64(*p) + beats
	*p = phase(total % d)
	return total / d
}

package main

import (
	"fmt"
	"strconv"
	"strings"
)

// price is a decimal number in units of 1e-9. It is exact, so prices can be
// compared and be keys.
type price int64

const maxDecimals = 9

var errPrice = fmt.Errorf("expected a decimal number of at most %d decimals", maxDecimals)

// parsePrice returns the price that s holds, and with how many decimals.
func parsePrice(s string) (p price, decimals int, err error) {
	whole, fraction, dotted := strings.Cut(s, ".")
	decimals = len(fraction)
	if !areDigits(strings.TrimPrefix(whole, "-")) || dotted && !areDigits(fraction) || decimals > maxDecimals {
		return 0, 0, errPrice
	}
	zeros := strings.Repeat("0", maxDecimals-decimals)
	units, err := strconv.ParseInt(whole+fraction+zeros, 10, 64)
	if err != nil {
		return 0, 0, errPrice // out of range
	}
	return price(units), decimals, nil
}

// areDigits reports whether s has digits and nothing else.
func areDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// format returns the price with that many decimals, which must be enough.
func (p price) format(decimals int) string {
	sign, units := "", uint64(p)
	if p < 0 {
		sign, units = "-", -units
	}
	digits := fmt.Sprintf("%0*d", maxDecimals+1, units)
	point := len(digits) - maxDecimals
	if decimals == 0 {
		return sign + digits[:point]
	}
	return sign + digits[:point] + "." + digits[point:point+decimals]
}

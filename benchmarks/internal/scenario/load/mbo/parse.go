package mbo

import (
	"fmt"
	"strconv"
	"strings"
)

const priceDecimals = 9

// parse returns the event that the fields of a line hold.
func parse(fields []string) (e Event, err error) {
	whole := func(column, bits int) uint64 {
		n, failed := strconv.ParseUint(fields[column], 10, bits)
		if failed != nil && err == nil {
			err = fmt.Errorf("%s: want a whole number, got %q", columns[column], fields[column])
		}
		return n
	}
	letter := func(column int, letters string) byte {
		s := fields[column]
		if len(s) == 1 && strings.Contains(letters, s) {
			return s[0]
		}
		if err == nil {
			err = fmt.Errorf("%s: want one of the letters %s, got %q", columns[column], letters, s)
		}
		return 0
	}
	e.Received = int64(whole(0, 63))
	whole(1, 63)
	e.Action = letter(2, "ACMTF")
	e.Place.Side = letter(3, "BAN")
	e.Size = int64(whole(5, 32))
	e.Order = whole(6, 64)
	whole(7, 64)
	if err != nil {
		return e, err
	}
	if e.rests() && e.Place.Side == None {
		return e, fmt.Errorf("side: the order needs a side, B or A")
	}
	if fields[4] == "" && !e.rests() {
		return e, nil
	}
	e.Place.Price, err = parsePrice(fields[4])
	return e, err
}

// parsePrice returns a decimal number in units of 1e-9.
func parsePrice(s string) (int64, error) {
	whole, fraction, dotted := strings.Cut(s, ".")
	missing := priceDecimals - len(fraction)
	if dotted == (fraction == "") || missing < 0 || strings.Trim(fraction, "0123456789") != "" || strings.HasPrefix(s, "+") {
		return 0, fmt.Errorf("price: want a decimal number of at most %d decimals, got %q", priceDecimals, s)
	}
	price, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", missing), 10, 64)
	if err != nil || whole == "" {
		return 0, fmt.Errorf("price: want a decimal number, got %q", s)
	}
	return price, nil
}

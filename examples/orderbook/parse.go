package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// parser reads the columns of a row and keeps the first error.
type parser struct {
	row row
	err error
}

// event returns the event that the row holds. Every column is checked, also
// those that the replay has no use for.
func (r row) event() (event, error) {
	p := parser{row: r}
	var e event
	e.received = int64(p.whole(colReceived, 63))
	p.whole(colSent, 63)
	e.action = action(p.letter(colAction, "ACMTF"))
	e.place.side = side(p.letter(colSide, "BAN"))
	e.place.price, e.decimals = p.price(colPrice)
	e.size = int64(p.whole(colSize, 32))
	e.order = p.whole(colOrder, 64)
	p.whole(colSequence, 64)
	if e.places() && e.place.side == none {
		p.fail(colSide, errors.New("the order needs a side, B or A"))
	}
	if e.places() && r.fields[colPrice] == "" {
		p.fail(colPrice, errors.New("the order needs a price"))
	}
	return e, p.err
}

// whole reads a number of up to so many bits.
func (p *parser) whole(column, bits int) uint64 {
	s := p.row.fields[column]
	n, err := strconv.ParseUint(s, 10, bits)
	if err != nil {
		p.fail(column, fmt.Errorf("expected a whole number from 0 to %d, got %q", uint64(1)<<bits-1, s))
	}
	return n
}

// letter reads one of the letters given.
func (p *parser) letter(column int, letters string) byte {
	s := p.row.fields[column]
	if len(s) != 1 || !strings.Contains(letters, s) {
		p.fail(column, fmt.Errorf("expected one of the letters %s, got %q", letters, s))
		return 0
	}
	return s[0]
}

// price reads a price and its number of decimals. The column may be empty.
func (p *parser) price(column int) (price, int) {
	s := p.row.fields[column]
	if s == "" {
		return 0, 0
	}
	amount, decimals, err := parsePrice(s)
	if err != nil {
		p.fail(column, fmt.Errorf("%w, got %q", err, s))
	}
	return amount, decimals
}

func (p *parser) fail(column int, err error) {
	if p.err == nil {
		p.err = p.row.fail(column, err)
	}
}

package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// reference is a book kept in the simplest way, to compare with.
type reference map[int]resting

type resting struct {
	side, price string
	size        int
}

// randomFeed returns the text of a feed, and the book that it leads to.
func randomFeed(seed uint64, rows int) (string, reference) {
	r := rand.New(rand.NewPCG(seed, 0))
	live := make(reference)
	var text strings.Builder
	text.WriteString(header)
	var at int64
	for i := range rows {
		at += r.Int64N(2_000_000) // 1 ms on average
		id := r.IntN(200)
		now := resting{[]string{"B", "A"}[r.IntN(2)], strconv.FormatFloat(100+float64(r.IntN(40))/4, 'f', 2, 64), 1 + r.IntN(9)}
		action := []string{"A", "M", "M", "C", "C", "T", "F"}[r.IntN(7)]
		switch before, known := live[id]; {
		case action == "T":
			now.side, now.price = "N", ""
		case action == "C" && known && before.size > now.size:
			live[id] = resting{before.side, before.price, before.size - now.size}
		case action == "C":
			delete(live, id)
		case action == "A" || action == "M":
			live[id] = now
		}
		fmt.Fprintf(&text, "%d,%d,%s,%s,%s,%d,%d,%d\n", at, at, action, now.side, now.price, now.size, id, i)
	}
	return text.String(), live
}

// result returns what a replay must tell of the book.
func (b reference) result() (r result) {
	levels := make(map[string]bool)
	var high, low float64
	for _, o := range b {
		levels[o.side+o.price] = true
		r.Contracts += int64(o.size)
		p, _ := strconv.ParseFloat(o.price, 64)
		if o.side == "B" && (r.BestBid == "" || p > high) {
			r.BestBid, high = o.price, p
		}
		if o.side == "A" && (r.BestAsk == "" || p < low) {
			r.BestAsk, low = o.price, p
		}
	}
	r.Levels = len(levels)
	return r
}

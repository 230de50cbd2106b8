package core

import "testing"

func taken(q *byHand, n int) []pair {
	batch := make([]*pair, n)
	var pairs []pair
	for _, p := range batch[:q.take(batch)] {
		pairs = append(pairs, *p)
	}
	return pairs
}

func TestByHandKeepsTheLatestInOrder(t *testing.T) {
	q := newByHand(false)
	q.put("a", numbered(1))
	q.put("b", numbered(2))
	q.put("a", numbered(3))
	got := taken(q, 64)
	if len(got) != 2 || got[0] != (pair{"a", numbered(3)}) || got[1] != (pair{"b", numbered(2)}) {
		t.Errorf("got %v", got)
	}
}

func TestByHandHandsALeasedKeyOutLater(t *testing.T) {
	q := newByHand(true)
	q.put("a", numbered(1))
	batch := make([]*pair, 1)
	q.take(batch)
	q.put("a", numbered(2))
	q.put("a", numbered(3))
	q.put("b", numbered(4))
	if got := taken(q, 64); len(got) != 1 || got[0].key != "b" {
		t.Errorf("got %v, want b alone", got)
	}
	q.done(batch)
	if got := taken(q, 64); len(got) != 1 || got[0] != (pair{"a", numbered(3)}) {
		t.Errorf("got %v, want the last value of a", got)
	}
}

func TestByHandEndsWhenNothingIsLeft(t *testing.T) {
	q := newByHand(true)
	q.put("a", numbered(1))
	batch := make([]*pair, 1)
	q.take(batch)
	q.put("a", numbered(2))
	q.close()
	q.done(batch)
	if got := taken(q, 1); len(got) != 1 {
		t.Errorf("got %v, want what came behind the lease", got)
	}
	q.done(batch)
	if n := q.take(batch); n != 0 {
		t.Errorf("%d taken, want the end", n)
	}
}

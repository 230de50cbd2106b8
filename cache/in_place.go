package cache

import "reflect"

// inPlace calls Options.MergeInto. What a function of the user's gets a pointer to
// would be allocated each time, so the values lie here meanwhile. The zero inPlace
// does nothing.
type inPlace[V any] struct {
	into     func(waiting, arriving *V)
	points   bool // a value may keep something alive
	changing *V   // what the user's function changes at the moment
	was      V    // that, before
	arriving V
}

func newInPlace[V any](into func(waiting, arriving *V)) inPlace[V] {
	return inPlace[V]{into: into, points: points(reflect.TypeFor[V]())}
}

// merge merges a value into the one that waits. Should that panic, undo has to be
// called.
func (p *inPlace[V]) merge(waiting, arriving *V) {
	p.was, p.arriving = *waiting, *arriving
	p.changing = waiting
	p.into(waiting, &p.arriving)
	p.changing = nil
	if p.points {
		p.wipe()
	}
}

// undo restores the value in the midst of whose merge the user's function panicked.
func (p *inPlace[V]) undo() {
	if p.changing != nil {
		p.restore()
	}
}

func (p *inPlace[V]) restore() {
	*p.changing = p.was
	p.changing = nil
	p.wipe()
}

// combine is the same as a Merge.
func (p *inPlace[V]) combine(older, newer V) V {
	defer p.wipe()
	p.was, p.arriving = older, newer
	p.into(&p.was, &p.arriving)
	return p.was
}

func (p *inPlace[V]) wipe() {
	var none V
	p.was, p.arriving = none, none
}

// points reports whether the values of a type may keep something alive.
func points(t reflect.Type) bool {
	return madeOf(t, func(k reflect.Kind) bool { return k > reflect.Complex128 })
}

package cache

import "fmt"

// Op says what an entry does to its key. An upsert is the plain case; a delete
// is a tombstone, which keeps its place in the order; a replace is an upsert on
// top of a delete that still waited, so the consumer must not combine it with
// what it had.
type Op uint8

const (
	// Upsert sets the key's value, or adds to it.
	Upsert Op = iota
	// Insert is an Upsert of which the source says that the key is new. With
	// Options.Annihilate it and a Delete cancel out.
	Insert
	// Replace is a Delete followed by an Upsert.
	Replace
	// Delete removes the key. Its value is there for Newer to look at.
	Delete
	// Append is a value that must not be conflated.
	Append
)

var ops = [...]string{"upsert", "insert", "replace", "delete", "append"}

// String returns the operation in lower case.
func (o Op) String() string {
	if int(o) < len(ops) {
		return ops[o]
	}
	return fmt.Sprintf("Op(%d)", uint8(o))
}

// combine makes one of two entries of a key, neither of them appended. Values
// never merge across a delete: what was before it does not count any more.
// It tells whether nothing of the older one is left.
func (c *Cache[K, V]) combine(older, newer V, olderOp, newerOp Op) (value V, op Op, replaced bool) {
	switch {
	case newerOp == Delete || newerOp == Replace:
		return newer, newerOp, true
	case olderOp == Delete:
		return newer, Replace, true
	default:
		return c.options.Merge(older, newer), olderOp, c.options.Replaces
	}
}

// cancels reports whether a delete cancels out with the waiting entry: nobody
// has seen the key.
func (c *Cache[K, V]) cancels(waiting *item[V], arriving Op) bool {
	return c.options.Annihilate && arriving == Delete && waiting.op == Insert && waiting.attempts == 0
}

// droppable reports whether an entry may be evicted or dropped for its age. A
// lost delete would never be made good, and an appended value has no successor.
func (o Op) droppable() bool { return o == Upsert || o == Insert }

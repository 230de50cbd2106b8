package core

import "strconv"

// value is what is put: 64 bytes without a pointer.
type value struct {
	number uint64 // of the put; in growth, of the put of its key
	count  uint64 // of the values in it, where they are added up; in growth the index of the key
	_      [6]uint64
}

// numbered is a value with its number, and a count of one.
func numbered(n int) value { return value{number: uint64(n), count: 1} }

// stringKeys returns n keys of up to ten bytes. They share one piece of memory,
// so that they burden no side's garbage collection.
func stringKeys(n int) []string {
	var text []byte
	ends := make([]int, n)
	for i := range ends {
		text = strconv.AppendInt(append(text, "key-"...), int64(i), 10)
		ends[i] = len(text)
	}
	all, begin := string(text), 0
	keys := make([]string, n)
	for i, end := range ends {
		keys[i], begin = all[begin:end], end
	}
	return keys
}

// numberKeys returns n keys that are as far apart as identifiers are.
func numberKeys(n int) []uint64 {
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = uint64(i) * 0x9e3779b97f4a7c15
	}
	return keys
}

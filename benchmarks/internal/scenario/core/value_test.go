package core

import (
	"testing"
	"unsafe"
)

func TestValueHas64Bytes(t *testing.T) {
	if got := unsafe.Sizeof(value{}); got != 64 {
		t.Errorf("%d bytes", got)
	}
}

func TestKeysAreDistinct(t *testing.T) {
	texts, numbers := map[string]bool{}, map[uint64]bool{}
	for _, k := range stringKeys(2000) {
		texts[k] = true
	}
	for _, k := range numberKeys(2000) {
		numbers[k] = true
	}
	if len(texts) != 2000 || len(numbers) != 2000 || !texts["key-1999"] {
		t.Errorf("%d strings and %d numbers", len(texts), len(numbers))
	}
}

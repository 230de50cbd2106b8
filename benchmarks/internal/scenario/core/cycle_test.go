package core

import (
	"strings"
	"testing"
)

func TestRecurringNoticesTheWrongOrder(t *testing.T) {
	r := newRecurring()
	for range 1500 {
		key, number := r.next()
		if err := r.back(numbered(number)); err != nil {
			t.Fatalf("%s: %v", key, err)
		}
	}
	if err := r.back(numbered(1501)); err == nil || !strings.Contains(err.Error(), "value 1501 came back, want 1500") {
		t.Errorf("got %v", err)
	}

	r = newRecurring()
	for range 1500 {
		key, _ := r.next()
		if err := r.backKey(key); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.backKey("key-1"); err == nil || !strings.Contains(err.Error(), `"key-1" came back, want "key-500"`) {
		t.Errorf("got %v", err)
	}
}

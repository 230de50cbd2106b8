package pipeline

import (
	"errors"
	"strings"
	"testing"
)

func TestHandlerCall(t *testing.T) {
	h := Handler[string, item](func(handling, entry) error { return errBoom })
	if err := h.call(t.Context(), entry{}); err != errBoom {
		t.Errorf("got %v, want %v", err, errBoom)
	}
}

func TestHandlerPanic(t *testing.T) {
	tests := []struct {
		name  string
		value any
		text  string
		is    error
	}{
		{"string", "oops", "panic: oops", nil},
		{"error", errBoom, "panic: boom", errBoom},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := Handler[string, item](func(handling, entry) error { panic(test.value) })
			err := h.call(t.Context(), entry{})
			var panicked *PanicError
			if !errors.As(err, &panicked) || panicked.Value != test.value || err.Error() != test.text {
				t.Fatalf("got %#v, want a PanicError of %v", err, test.value)
			}
			if got := errors.Unwrap(err); got != test.is {
				t.Errorf("wraps %v, want %v", got, test.is)
			}
			if !strings.Contains(string(panicked.Stack), "TestHandlerPanic") {
				t.Errorf("the stack does not show where it happened:\n%s", panicked.Stack)
			}
		})
	}
}

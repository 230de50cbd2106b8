package core

import (
	"strings"
	"testing"
)

func TestMemoryNoticesALostValue(t *testing.T) {
	_, err := measureMemory(t.Context(), newLeaky(t), 1000)
	if err == nil || !strings.Contains(err.Error(), "990 values were taken") {
		t.Errorf("got %v", err)
	}
}

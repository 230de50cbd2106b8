package kafka

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// The test binary is also the process that the crash tests kill.
func TestMain(m *testing.M) {
	if mode := os.Getenv("HEADRACE_CHILD"); mode != "" {
		child(mode)
		return
	}
	goleak.VerifyTestMain(m)
}

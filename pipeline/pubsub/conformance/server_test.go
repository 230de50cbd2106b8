package conformance

import (
	"cmp"
	"net"
	"os"
	"testing"
	"time"
)

// address returns the value of an environment variable, or else the default.
func address(variable, otherwise string) string {
	return cmp.Or(os.Getenv(variable), otherwise)
}

// need skips a test whose server cannot be reached, and says how to start it.
// With HEADRACE_REQUIRE=1 it fails.
func need(t *testing.T, server, variable, hostPort, start string) {
	t.Helper()
	conn, err := net.DialTimeout("tcp", hostPort, time.Second)
	if err == nil {
		conn.Close()
		return
	}
	report := t.Skipf
	if os.Getenv("HEADRACE_REQUIRE") == "1" {
		report = t.Fatalf
	}
	report("no %s: %v\nTo start it: %s\nOr set %s to where one runs.", server, err, start, variable)
}

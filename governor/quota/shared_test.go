package quota

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"
)

// shared returns the folder of the reference traces. Where it is absent the test
// is skipped, or fails if HEADRACE_REQUIRE=1 says that nothing may be missing.
func shared(t *testing.T) string {
	t.Helper()
	root := cmp.Or(os.Getenv("HEADRACE_SHARED"), filepath.Join("..", "..", "..", "shared"))
	dir := filepath.Join(root, "traces", "quota")
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("HEADRACE_REQUIRE") == "1" {
			t.Fatalf("the reference traces are missing: %v", err)
		}
		t.Skipf("no reference traces: %v", err)
	}
	return dir
}

package quota

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWriteThatFailsChangesNothing(t *testing.T) {
	d := tempDir(t)
	q := mustNew(t, Options{Dir: d})
	put(t, d, "users", "a file where a folder belongs")
	if err := q.Alter(alice, percent("1")); err == nil || len(q.rules.Load().table) != 0 {
		t.Errorf("got %v, in force: %v", err, q.rules.Load().table)
	}
	if err := os.Mkdir(filepath.Join(string(d), "clients"), 0o755); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(string(d), "clients", "app.json")
	if err := os.MkdirAll(filepath.Join(target, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(target, []byte("x")); err == nil {
		t.Error("a file took the place of a folder")
	}
	if left, _ := filepath.Glob(filepath.Join(string(d), "clients", ".new-*")); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
	if err := removeFile(target, string(d)); err == nil {
		t.Error("a folder with something in it was removed")
	}
}

func TestWriteReplacesInOneStep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b.json")
	for _, content := range []string{"first", "second"} {
		if err := writeFile(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("got %q, %v", got, err)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v; want one file", entries, err)
	}
}

package quota

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func tempDir(t *testing.T) Dir { return Dir(t.TempDir()) }

// put writes a file as a person would.
func put(t *testing.T, d Dir, path, content string) {
	t.Helper()
	full := filepath.Join(string(d), path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tree lists all files and folders below d.
func tree(t *testing.T, d Dir) (all []string) {
	t.Helper()
	err := filepath.WalkDir(string(d), func(path string, entry os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(string(d), path); rel != "." {
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestDirKeepsNamesApart(t *testing.T) {
	d := tempDir(t)
	long := strings.Repeat("x", 5000)
	names := []string{"alice", "Bob", "bob", ".", "..", "<default>", "clients", "a/b", "a%2Fb", "\xff\xfe", "\xef\xbf\xbd", "a b", "a+b", "~", long, long + "y", " ", "\x00"}
	want := map[Entity]Limits{}
	n := int64(0)
	add := func(e Entity) {
		n++
		want[e] = Limits{ProducerByteRate: n}
		if _, err := d.Alter(e, Change{Key: ProducerByteRate, Value: want[e].Text(ProducerByteRate)}); err != nil {
			t.Fatal(err)
		}
	}
	both := []Name{Default()}
	for _, name := range names {
		both = append(both, Named(name))
	}
	for _, name := range both {
		add(Entity{User: name})
		add(Entity{ClientID: name})
		add(Entity{Named("alice"), name})
		add(Entity{name, Named("app")})
		add(Entity{name, name})
	}
	got, err := d.All()
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%d of %d entities come back, %v", len(got), len(want), err)
	}
	for e, l := range want {
		if got, err := d.Read(e); err != nil || got != l {
			t.Fatalf("%.40v: %v, %v; want %v", e, got, err, l)
		}
	}
	if outside, _ := os.ReadDir(filepath.Dir(string(d))); len(outside) != 1 {
		t.Errorf("a name got out of the directory: %v", outside)
	}
	for e := range want {
		if err := d.Remove(e); err != nil {
			t.Fatal(err)
		}
	}
	if left := tree(t, d); len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestDirRefusesEmptyNames(t *testing.T) {
	d := tempDir(t)
	if _, err := d.Alter(Entity{User: Named("")}, percent("1")); !errors.Is(err, ErrConfig) {
		t.Errorf("got %v", err)
	}
	put(t, d, "users/.json", `{"version":2,"config":{}}`) // hidden, so ignored
	put(t, d, "users/%zz.json", `{"version":2,"config":{}}`)
	if _, err := d.All(); err == nil || !strings.Contains(err.Error(), "%zz.json") {
		t.Errorf("got %v, want it to name the file", err)
	}
}

func TestDirAlter(t *testing.T) {
	d := tempDir(t)
	l, err := d.Alter(alice, percent("1.0"), produced("1024"))
	if err != nil || l != (Limits{RequestTimePercent: 1, ProducerByteRate: 1024}) {
		t.Errorf("got %v, %v", l, err)
	}
	data, err := os.ReadFile(filepath.Join(string(d), "users", "alice.json"))
	if want := `{"version":2,"config":{"producer_byte_rate":"1024","request_time_percent":"1.0"}}` + "\n"; err != nil || string(data) != want {
		t.Errorf("wrote %q, %v; want %q", data, err, want)
	}
	before := tree(t, d)
	if _, err := d.Alter(alice, percent("2"), produced("zero")); !errors.Is(err, ErrConfig) {
		t.Errorf("got %v", err)
	}
	if again, _ := os.ReadFile(filepath.Join(string(d), "users", "alice.json")); string(again) != string(data) || !slices.Equal(tree(t, d), before) {
		t.Error("a bad change was made in part")
	}
	if _, err := d.Alter(alice, Change{Key: RequestTimePercent, Remove: true}, Change{Key: ProducerByteRate, Remove: true}); err != nil {
		t.Error(err)
	}
	if left := tree(t, d); len(left) != 0 {
		t.Errorf("nothing is set, and yet there are %q", left)
	}
}

func TestDirReadsOtherSpellings(t *testing.T) {
	d := tempDir(t)
	put(t, d, "users/Bob.json", `{"version":1,"config":{"producer_byte_rate":"5"}}`)
	bob := Entity{User: Named("Bob")}
	if l, err := d.Alter(bob, percent("1")); err != nil || l.ProducerByteRate != 5 {
		t.Errorf("got %v, %v", l, err)
	}
	if got := tree(t, d); !slices.Equal(got, []string{"users", "users/Bob.json"}) {
		t.Errorf("got %q, want the file that was there", got)
	}
	put(t, d, "users/%42ob.json", `{"version":2,"config":{"producer_byte_rate":"6"}}`)
	table, err := d.All()
	if err == nil || !strings.Contains(err.Error(), "Bob.json: is for the same entity as users/%42ob.json") || table[bob].ProducerByteRate != 6 {
		t.Errorf("got %v, %v", table, err)
	}
}

func TestDirChecksHashedNames(t *testing.T) {
	d := tempDir(t)
	long := Entity{User: Named(strings.Repeat("x", 300))}
	if _, err := d.Alter(long, percent("1")); err != nil {
		t.Fatal(err)
	}
	for _, entity := range []string{``, `"entity":"users/alice",`, `"entity":"nobody",`} {
		put(t, d, long.path(), `{"version":2,`+entity+`"config":{"request_time_percent":"1"}}`)
		if table, err := d.All(); !errors.Is(err, ErrConfig) || len(table) != 0 {
			t.Errorf("%s: got %v, %v", entity, table, err)
		}
	}
	put(t, d, "users/alice.json", `{"version":2,"entity":"users/bob","config":{}}`)
	if _, err := d.All(); err == nil || !strings.Contains(err.Error(), "not the entity that the file is called after") {
		t.Errorf("got %v", err)
	}
}

func TestDirIgnoresOtherFiles(t *testing.T) {
	d := tempDir(t)
	put(t, d, "users/alice.json", `{"version":2,"config":{"producer_byte_rate":"5"}}`)
	for _, path := range []string{"README", "users/alice.json~", "users/.new-1.json", "users/notes.txt", "clients/.x", "other/bob.json", "users/bob/x.json"} {
		put(t, d, path, "no document")
	}
	if table, err := d.All(); err != nil || len(table) != 1 {
		t.Errorf("got %v, %v", table, err)
	}
}

func TestDirThatIsNotThere(t *testing.T) {
	d := Dir(filepath.Join(t.TempDir(), "not", "there"))
	if _, err := d.All(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("All: %v", err)
	}
	if _, err := New(Options{Dir: d}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("New: %v", err)
	}
	if l, err := d.Read(alice); err != nil || l != (Limits{}) {
		t.Errorf("Read: %v, %v", l, err)
	}
	if err := d.Remove(alice); err != nil {
		t.Errorf("Remove: %v", err)
	}
	if _, err := d.Alter(alice, percent("1")); err != nil {
		t.Errorf("Alter makes the directory: %v", err)
	}
}

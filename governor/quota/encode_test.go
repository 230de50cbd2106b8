package quota

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFileNames(t *testing.T) {
	tests := map[string]string{
		"alice": "alice", "Bob": "%42ob", "bob": "bob", ".": "%2E", "..": "%2E.", "a.b": "a.b", ".hidden": "%2Ehidden",
		"<default>": "%3Cdefault%3E", "a/b": "a%2Fb", "~": "%7E", "\xff": "%FF", "é": "%C3%A9", "a b": "a%20b", "\x00": "%00",
		"clients": "clients", `a\b`: "a%5Cb",
	}
	for name, want := range tests {
		if got := Named(name).fileName(); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := Default().fileName(); got != "<default>" {
		t.Errorf("the default is called %q", got)
	}
}

// No two names share a file, even where case does not count, and each comes back.
func TestFileNamesAreUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.SliceOfN(rapid.Byte(), 1, 120)
		a, b := string(bytes.Draw(t, "a")), string(bytes.Draw(t, "b"))
		fileA, fileB := encodeFile(a), encodeFile(b)
		if a != b && strings.EqualFold(fileA, fileB) {
			t.Errorf("%q and %q are both called %q", a, b, fileA)
		}
		if len(fileA) > longestFileName || strings.ContainsAny(fileA, "/\\:<>*?\"|\x00") || fileA[0] == '.' {
			t.Errorf("%q is called %q", a, fileA)
		}
		if name, err := decodeName(encode(a)); err != nil || name != Named(a) {
			t.Errorf("%q comes back as %v, %v", a, name, err)
		}
		if name, err := decodeName(fileA); fileA[0] != '~' && (err != nil || name != Named(a)) {
			t.Errorf("%q comes back from its file as %v, %v", a, name, err)
		}
	})
}

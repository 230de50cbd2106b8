package quota

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"
)

const (
	usersDir    = "users"
	clientsDir  = "clients"
	defaultName = "<default>" // no encoded name holds a '<'
	extension   = ".json"

	// Most file systems allow 255 bytes in a name.
	longestFileName = 200
	hashMark        = "~" // no encoded name holds a '~'
)

// encode percent-encodes all bytes but letters, digits, '.', '-' and '_', as
// Kafka does in paths and metric tags. It works on bytes: a name need not be
// UTF-8.
func encode(name string) string {
	return escape(name, func(_ int, c byte) bool { return isLower(c) || 'A' <= c && c <= 'Z' })
}

// encodeFile is encode for a file system. A file system that ignores case must
// not join Bob and bob, so capitals are encoded. No name may be "." or "..",
// nor be a hidden file, so a dot in front is encoded. A name that gets too long
// is hashed; its document then says whose it is.
func encodeFile(name string) string {
	s := escape(name, func(i int, c byte) bool { return isLower(c) && (i > 0 || c != '.') })
	if len(s) <= longestFileName {
		return s
	}
	sum := sha256.Sum256([]byte(name))
	return hashMark + hex.EncodeToString(sum[:])
}

// fileName returns the name of the file or folder of n, without extension.
func (n Name) fileName() string {
	if n.kind == anyName {
		return defaultName
	}
	return encodeFile(n.text)
}

func isLower(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || strings.IndexByte(".-_", c) >= 0
}

func escape(name string, keep func(int, byte) bool) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; keep(i, c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

// decodeName is the inverse of encode and encodeFile. It takes any encoding of
// the name, so that documents can be put in place by hand.
func decodeName(s string) (Name, error) {
	if s == defaultName {
		return Default(), nil
	}
	text, err := url.QueryUnescape(s)
	return Named(text), err
}

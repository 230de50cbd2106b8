package quota

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// file is a document in a directory.
type file struct {
	path   string // below the directory
	info   fs.FileInfo
	entity Entity
	known  bool  // false if the name is a hash: the document says whose it is
	err    error // the name is no name
}

// files lists the documents, without reading them.
func (d Dir) files() ([]file, error) {
	if _, err := os.Stat(string(d)); err != nil {
		return nil, err
	}
	var l lister
	l.list(d, usersDir, func(name string) {
		clients := filepath.Join(usersDir, name, clientsDir)
		l.list(d, clients, nil, name)
	})
	l.list(d, clientsDir, nil)
	return l.files, errors.Join(l.errs...)
}

type lister struct {
	files []file
	errs  []error
}

// list adds the documents of a folder, and calls folder for the folders in it.
// user is the name of the folder's user, if it has one.
func (l *lister) list(d Dir, dir string, folder func(name string), user ...string) {
	entries, err := os.ReadDir(filepath.Join(string(d), dir))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			l.errs = append(l.errs, err)
		}
		return
	}
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasPrefix(name, ".") {
			continue
		}
		path := filepath.Join(dir, name)
		info, err := os.Stat(filepath.Join(string(d), path)) // follows links
		switch {
		case errors.Is(err, fs.ErrNotExist): // gone since
		case err != nil:
			l.errs = append(l.errs, err)
		case info.IsDir() && folder != nil:
			folder(name)
		case !info.IsDir() && strings.HasSuffix(name, extension):
			l.files = append(l.files, newFile(d, path, info, dir == usersDir, strings.TrimSuffix(name, extension), user...))
		}
	}
}

// newFile works out whose document it is. A name that no encoding gives, as "%zz",
// is reported and not guessed at.
func newFile(d Dir, path string, info fs.FileInfo, isUser bool, name string, user ...string) file {
	f := file{path: path, info: info, known: true}
	decode := func(s string) Name {
		n, err := decodeName(s)
		if err != nil && f.err == nil {
			f.err = &ConfigError{Path: filepath.Join(string(d), path), Reason: "its name is no percent-encoding: " + err.Error()}
		}
		if strings.HasPrefix(s, hashMark) {
			f.known = false
		}
		return n
	}
	switch {
	case isUser:
		f.entity.User = decode(name)
	case len(user) == 1:
		f.entity = Entity{User: decode(user[0]), ClientID: decode(name)}
	default:
		f.entity.ClientID = decode(name)
	}
	if err := f.entity.check(); err != nil && f.err == nil {
		f.err = &ConfigError{Path: filepath.Join(string(d), path), Reason: "its name is empty"}
	}
	return f
}

// read reads one document.
func (d Dir) read(path string) (document, error) {
	full := filepath.Join(string(d), path)
	data, err := os.ReadFile(full)
	if err != nil {
		return document{}, err
	}
	return parseDocument(full, data)
}

// hashed reports whether a part of the entity's path is a hash.
func (e Entity) hashed() bool {
	return strings.HasPrefix(e.User.fileName(), hashMark) || strings.HasPrefix(e.ClientID.fileName(), hashMark)
}

// parseEntity is the inverse of Entity.String.
func parseEntity(path string) (e Entity, err error) {
	parts := strings.Split(path, "/")
	switch {
	case len(parts) == 2 && parts[0] == usersDir:
		e.User, err = decodeName(parts[1])
	case len(parts) == 2 && parts[0] == clientsDir:
		e.ClientID, err = decodeName(parts[1])
	case len(parts) == 4 && parts[0] == usersDir && parts[2] == clientsDir:
		var errClient error
		e.User, err = decodeName(parts[1])
		e.ClientID, errClient = decodeName(parts[3])
		err = errors.Join(err, errClient)
	default:
		err = errors.New("is no entity")
	}
	return e, err
}

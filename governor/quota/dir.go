package quota

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Dir is a directory of configuration documents, one for each entity:
//
//	users/alice.json              a user
//	users/alice/clients/app.json  a client-id of a user
//	clients/app.json              a client-id
//	users/<default>.json          every user without a quota of its own
//
// Names are percent-encoded: "Bob" is %42ob, so that it stays apart from "bob"
// where the file system ignores case. A name of more than 200 encoded bytes is
// hashed, and its document holds it. Files in other spellings of the same
// encoding are read too, so that documents can be put in place by hand; files
// that begin with a dot or do not end with .json are ignored.
//
// Documents are replaced atomically: a reader sees the old or the new one, also
// after a crash. Two writers of one entity at the same time are not merged; the
// last one wins.
type Dir string

// path returns where the document of an entity belongs, below d.
func (e Entity) path() string {
	user, client := e.User.fileName(), e.ClientID.fileName()
	switch {
	case e.ClientID.kind == absent:
		return filepath.Join(usersDir, user+extension)
	case e.User.kind == absent:
		return filepath.Join(clientsDir, client+extension)
	}
	return filepath.Join(usersDir, user, clientsDir, client+extension)
}

// locate returns where the document of an entity is, which may be in another
// spelling, or belongs.
func (d Dir) locate(e Entity) (string, error) {
	if _, err := os.Stat(filepath.Join(string(d), e.path())); err == nil {
		return e.path(), nil
	}
	files, err := d.files()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for _, f := range files {
		if f.known && f.entity == e {
			return f.path, nil
		}
	}
	return e.path(), nil
}

// Read returns what is set for an entity itself. Without a document that is
// nothing.
func (d Dir) Read(e Entity) (Limits, error) {
	if err := e.check(); err != nil {
		return Limits{}, err
	}
	path, err := d.locate(e)
	if err != nil {
		return Limits{}, err
	}
	l, err := d.read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Limits{}, nil
	}
	return l.limits, err
}

// All returns what is set for every entity. Bad documents are left out, and the
// error names all of them.
func (d Dir) All() (map[Entity]Limits, error) {
	documents, _, err := d.scan(nil)
	table, clash := tableOf(d, documents)
	return table, errors.Join(err, clash)
}

// Alter makes all changes or none, and returns what is set then. An entity of
// which nothing is left has no document.
func (d Dir) Alter(e Entity, changes ...Change) (Limits, error) {
	old, err := d.Read(e)
	if err != nil {
		return Limits{}, err
	}
	next, err := old.apply(e, changes)
	if err != nil || next == old {
		return old, err
	}
	return next, d.write(e, next)
}

// Remove removes all that is set for an entity. It is no error if that is
// nothing.
func (d Dir) Remove(e Entity) error {
	if err := e.check(); err != nil {
		return err
	}
	return d.write(e, Limits{})
}

func (d Dir) write(e Entity, l Limits) error {
	path, err := d.locate(e)
	if err != nil {
		return err
	}
	full := filepath.Join(string(d), path)
	if l == (Limits{}) {
		return removeFile(full, string(d))
	}
	doc := document{limits: l}
	if e.hashed() {
		doc.entity = e.String()
	}
	return writeFile(full, doc.format())
}

// tableOf joins the documents. Two for one entity are an error; the first in
// order of path counts.
func tableOf(d Dir, documents map[string]*loaded) (map[Entity]Limits, error) {
	table, from := map[Entity]Limits{}, map[Entity]string{}
	var clashes []error
	for _, path := range slices.Sorted(maps.Keys(documents)) {
		l := documents[path]
		if !l.good {
			continue
		}
		if first, ok := from[l.entity]; ok {
			clashes = append(clashes, &ConfigError{
				Path:   filepath.Join(string(d), path),
				Reason: "is for the same entity as " + first + ", which counts",
			})
			continue
		}
		from[l.entity] = path
		if l.limits != (Limits{}) {
			table[l.entity] = l.limits
		}
	}
	return table, errors.Join(clashes...)
}

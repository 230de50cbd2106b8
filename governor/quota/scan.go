package quota

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// loaded is a document as it was last read.
type loaded struct {
	info   fs.FileInfo // of the file then; nil if it could not be read
	good   bool        // entity and limits come from some good version of the file
	entity Entity
	limits Limits
}

// same reports whether the file is the one that was read. A document that was
// replaced has another inode, whatever the resolution of its times.
func (l *loaded) same(info fs.FileInfo) bool {
	return l.info != nil && os.SameFile(l.info, info) && l.info.ModTime().Equal(info.ModTime()) && l.info.Size() == info.Size()
}

// scan reads the documents that have changed since the scan that gave previous.
// A document that went bad keeps its old content. The error is about what was
// read now: a bad file is reported once, and again when it has changed.
func (d Dir) scan(previous map[string]*loaded) (next map[string]*loaded, changed bool, err error) {
	files, err := d.files()
	if err != nil {
		return previous, false, err // half a listing would remove quotas
	}
	next = make(map[string]*loaded, len(files))
	var errs []error
	for _, f := range files {
		old := previous[f.path]
		if old != nil && old.same(f.info) {
			next[f.path] = old
			continue
		}
		l, err := d.loadFile(f, old)
		if errors.Is(err, fs.ErrNotExist) {
			changed = changed || old != nil
			continue // gone since the listing
		}
		if err != nil {
			errs = append(errs, err)
		}
		next[f.path], changed = l, true
	}
	return next, changed || len(next) != len(previous), errors.Join(errs...)
}

func (d Dir) loadFile(f file, old *loaded) (*loaded, error) {
	l := &loaded{info: f.info}
	if old != nil {
		l.good, l.entity, l.limits = old.good, old.entity, old.limits
	}
	if f.err != nil {
		return l, f.err
	}
	doc, err := d.read(f.path)
	if err != nil {
		if !errors.Is(err, ErrConfig) {
			l.info = nil // perhaps it can be read next time
		}
		return l, err
	}
	entity, err := d.entityOf(f, doc)
	if err != nil {
		return l, err
	}
	l.good, l.entity, l.limits = true, entity, doc.limits
	return l, nil
}

// entityOf returns whose document it is. Where the name is a hash the document
// must say, and the hash must fit.
func (d Dir) entityOf(f file, doc document) (Entity, error) {
	if doc.entity == "" && f.known {
		return f.entity, nil
	}
	fail := func(reason string) (Entity, error) {
		return Entity{}, &ConfigError{Path: filepath.Join(string(d), f.path), Key: "entity", Value: doc.entity, Reason: reason}
	}
	e, err := parseEntity(doc.entity)
	switch {
	case err != nil:
		return fail("is no path of an entity, which a document with a hash for a name needs")
	case f.known && e != f.entity:
		return fail("is not the entity that the file is called after")
	case !f.known && e.path() != f.path:
		return fail("does not fit the hash in the name of the file")
	}
	return e, nil
}

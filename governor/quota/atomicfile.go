package quota

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// writeFile replaces a file in one step. The new one is on the disk before it
// gets the name, so that a crash leaves the old or the new one, whole.
func writeFile(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	return syncDir(dir)
}

// syncDir makes a change of names last. Some systems cannot sync a folder; there
// the change lasts when they see to it.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	f.Sync()
	return f.Close()
}

// removeFile removes a file, and the folders below root that it leaves empty.
func removeFile(path, root string) error {
	if err := os.Remove(path); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	for dir := filepath.Dir(path); dir != filepath.Clean(root); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil { // not empty
			return syncDir(dir)
		}
	}
	return nil
}

package main

import (
	"fmt"
	"io"
	"os"

	"github.com/headrace/headrace/governor/quota"
)

// The quotas of the program, in percent of the time of all producers.
const (
	each    = "4.0" // for each tenant
	lowered = "2.0" // for the greedy one, from the middle on
)

// settings is the directory that the quotas are kept in.
type settings struct {
	dir       quota.Dir
	temporary bool
	producers int // their number, which the command cannot know
}

// newSettings makes a temporary directory if dir is empty. It sets the quota of
// each tenant unless something is set already.
func newSettings(dir string, producers int) (*settings, error) {
	s := &settings{dir: quota.Dir(dir), temporary: dir == "", producers: producers}
	if s.temporary {
		made, err := os.MkdirTemp("", "headrace-quotas-")
		if err != nil {
			return nil, err
		}
		s.dir = quota.Dir(made)
	}
	if err := s.fill(); err != nil {
		s.remove()
		return nil, err
	}
	return s, nil
}

func (s *settings) fill() error {
	if err := os.MkdirAll(string(s.dir), 0o755); err != nil {
		return err
	}
	set, err := s.dir.All()
	if err != nil || len(set) > 0 {
		return err
	}
	_, err = s.dir.Alter(quota.Entity{User: quota.Default()}, percent(each))
	return err
}

// lower does what the command does that it returns: it changes a document. The
// pipeline finds that out by itself, within a second.
func (s *settings) lower(user string) (command string, err error) {
	_, err = s.dir.Alter(quota.Entity{User: quota.Named(user)}, percent(lowered))
	return s.alter(user, lowered), err
}

func percent(value string) quota.Change {
	return quota.Change{Key: quota.RequestTimePercent, Value: value}
}

// printCommands prints what to try in another terminal.
func (s *settings) printCommands(w io.Writer, user string) {
	fmt.Fprintf(w, "The quotas are in %s. Try in another terminal:\n\n", s.dir)
	fmt.Fprintln(w, " ", s.command("--describe"))
	fmt.Fprintln(w, " ", s.alter(user, "6.0"))
	fmt.Fprintln(w, " ", s.command("--alter --delete-config request_time_percent "+entity(user)))
	fmt.Fprintln(w)
}

func (s *settings) alter(user, percent string) string {
	return s.command("--alter --add-config request_time_percent=" + percent + " " + entity(user))
}

func (s *settings) command(what string) string {
	return fmt.Sprintf("go run ./cmd/headrace-quotas --config-dir '%s' --workers %d %s", s.dir, s.producers, what)
}

func entity(user string) string { return "--entity-type users --entity-name " + user }

// remove removes the directory if it is temporary.
func (s *settings) remove() {
	if s.temporary {
		_ = os.RemoveAll(string(s.dir)) // best effort: the system clears what is left
	}
}

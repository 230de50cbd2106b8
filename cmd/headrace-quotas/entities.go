package main

import (
	"errors"
	"fmt"

	"github.com/headrace/headrace/governor/quota"
)

const (
	users   = "users"
	clients = "clients"
)

// entities collects --entity-type and --entity-name, in the order given: a name
// belongs to the type before it.
type entities struct{ parts []part }

type part struct {
	kind  string
	name  string
	named bool
}

func (e *entities) addType(kind string) error {
	if kind != users && kind != clients {
		return fmt.Errorf("must be %s or %s", users, clients)
	}
	for _, p := range e.parts {
		if p.kind == kind {
			return errors.New("is given twice")
		}
	}
	e.parts = append(e.parts, part{kind: kind})
	return nil
}

func (e *entities) addName(name string) error {
	if len(e.parts) == 0 {
		return errors.New("comes before any --entity-type")
	}
	last := &e.parts[len(e.parts)-1]
	switch {
	case last.named:
		return fmt.Errorf("%s has a name already", last.kind)
	case name == "":
		return errors.New("must not be empty; leave it out for the default")
	}
	last.name, last.named = name, true
	return nil
}

// entity is what to change: a type without a name is the default.
func (e entities) entity() (out quota.Entity) {
	for _, p := range e.parts {
		name := quota.Default()
		if p.named {
			name = quota.Named(p.name)
		}
		if p.kind == users {
			out.User = name
		} else {
			out.ClientID = name
		}
	}
	return out
}

// matches reports whether e asks to be shown an entity: one that has a half of
// each type given and no other, with the name if there is one. Without a type
// all are.
func (e entities) matches(entity quota.Entity) bool {
	if len(e.parts) == 0 {
		return true
	}
	var shape quota.Entity
	for _, p := range e.parts {
		half, to := entity.User, &shape.User
		if p.kind == clients {
			half, to = entity.ClientID, &shape.ClientID
		}
		if half == (quota.Name{}) || p.named && half != quota.Named(p.name) {
			return false
		}
		*to = half
	}
	return shape == entity
}

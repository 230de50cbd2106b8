package quota

// Name is one half of an Entity: a name, the default, or (the zero value)
// nothing. The default is a kind of its own and no string, so that an entity may
// even be called "<default>".
type Name struct {
	kind nameKind
	text string
}

type nameKind uint8

const (
	absent nameKind = iota
	named
	anyName
)

// Named is the name itself. It must not be empty: see Entity.
func Named(name string) Name { return Name{kind: named, text: name} }

// Default stands for every name that has no quota of its own. Each of them gets
// the whole quota; they do not share it.
func Default() Name { return Name{kind: anyName} }

// String returns the name as a path shows it: percent-encoded, or <default>, or
// empty.
func (n Name) String() string {
	if n.kind == anyName {
		return defaultName
	}
	return encode(n.text)
}

// Entity is what a quota is set for: a user, a client-id, or a user's client-id.
// Each half is a name or the default; one half may be absent.
type Entity struct {
	User     Name
	ClientID Name
}

// String returns the path of the entity, such as users/alice/clients/<default>.
func (e Entity) String() string {
	switch {
	case e.User.kind == absent && e.ClientID.kind == absent:
		return "(nobody)"
	case e.ClientID.kind == absent:
		return usersDir + "/" + e.User.String()
	case e.User.kind == absent:
		return clientsDir + "/" + e.ClientID.String()
	}
	return usersDir + "/" + e.User.String() + "/" + clientsDir + "/" + e.ClientID.String()
}

func (e Entity) check() error {
	fail := func(reason string) error { return &ConfigError{Path: e.String(), Reason: reason} }
	switch {
	case e == Entity{}:
		return fail("an entity needs a user, a client-id or both")
	case e.User == Named(""):
		return fail("the name of a user must not be empty")
	case e.ClientID == Named(""):
		return fail("a client-id must not be empty")
	}
	return nil
}

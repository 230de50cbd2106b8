package quota

// anonymous stands for a missing user.
const anonymous = "ANONYMOUS"

// Identity says whose work is charged.
type Identity struct {
	// User owns the work. Empty means ANONYMOUS, an ordinary name that can have
	// a quota of its own.
	User string
	// ClientID tells the clients of a user apart. An empty one has no quota by
	// name: only defaults apply to it, so that leaving it out evades nothing.
	ClientID string
}

func (id Identity) normal() Identity {
	if id.User == "" {
		id.User = anonymous
	}
	return id
}

package quota

import "errors"

const unknownKey = "unknown key: there are request_time_percent, producer_byte_rate and consumer_byte_rate"

// Change sets one key of an entity, or removes it.
type Change struct {
	Key    Key
	Value  string // as in a document; not looked at if Remove is set
	Remove bool   // removing a key that is not set changes nothing
}

// apply returns l with all changes made, or the errors of all that are bad.
func (l Limits) apply(e Entity, changes []Change) (Limits, error) {
	if err := e.check(); err != nil {
		return l, err
	}
	var bad []error
	seen := map[Key]bool{}
	next := l
	for _, c := range changes {
		fail := func(reason string) {
			bad = append(bad, &ConfigError{Path: e.String(), Key: string(c.Key), Value: c.Value, Reason: reason})
		}
		k, ok := c.Key.kind()
		switch {
		case !ok:
			fail(unknownKey)
		case seen[c.Key]:
			fail("stands twice among the changes")
		case c.Remove:
			next.unset(k)
		default:
			if reason := next.set(k, c.Value); reason != "" {
				fail(reason)
			}
		}
		seen[c.Key] = true
	}
	if bad != nil {
		return l, errors.Join(bad...)
	}
	return next, nil
}

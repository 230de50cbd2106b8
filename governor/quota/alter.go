package quota

import "maps"

// Alter makes all changes to an entity's quotas, or none if one of them is bad.
// The errors name path, key and value (see ConfigError). With Options.Dir the
// document is written first. History stays: a lower limit bites with the next
// charge of each entity, a higher one releases.
func (q *Quotas) Alter(e Entity, changes ...Change) error {
	return q.change(e, func() (Limits, error) {
		old, err := q.set(e)
		if err != nil {
			return old, err
		}
		return old.apply(e, changes)
	})
}

// Remove removes all quotas of an entity. Those that they applied to fall back
// to the next level, or have none.
func (q *Quotas) Remove(e Entity) error {
	return q.change(e, func() (Limits, error) { return Limits{}, nil })
}

// Load replaces all quotas of an entity by those of a document. A key that is
// not in the document is removed.
func (q *Quotas) Load(e Entity, data []byte) error {
	return q.change(e, func() (Limits, error) {
		d, err := parseDocument(e.String(), data)
		return d.limits, err
	})
}

// change works out the new limits before it touches anything.
func (q *Quotas) change(e Entity, next func() (Limits, error)) error {
	if err := e.check(); err != nil {
		return err
	}
	q.configuring.Lock()
	defer q.configuring.Unlock()
	select {
	case <-q.closed:
		return ErrClosed
	default:
	}
	limits, err := next()
	if err != nil {
		return err
	}
	if q.options.Dir != "" {
		if err := q.options.Dir.write(e, limits); err != nil {
			return err
		}
	}
	table := maps.Clone(q.rules.Load().table)
	if table[e] = limits; limits == (Limits{}) {
		delete(table, e)
	}
	return q.replace(table)
}

// set returns what is set for an entity, in the directory if there is one: the
// command may have changed it since the last scan.
func (q *Quotas) set(e Entity) (Limits, error) {
	if q.options.Dir != "" {
		return q.options.Dir.Read(e)
	}
	return q.rules.Load().table[e], nil
}

// replace puts a table in force, in one step for all entities.
func (q *Quotas) replace(table map[Entity]Limits) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over {
		return ErrClosed
	}
	if !maps.Equal(table, q.rules.Load().table) {
		q.publish(table)
	}
	return nil
}

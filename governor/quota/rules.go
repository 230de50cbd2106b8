package quota

import (
	"math"
	"time"
)

// rules are the quotas in force and the number of producers. They never change
// once published: a change publishes new ones, and gates see that theirs are old.
type rules struct {
	sequence  uint64
	table     map[Entity]Limits
	producers int
	measured  [kinds]bool // whether any entity has a quota of the kind
}

func newRules(sequence uint64, table map[Entity]Limits, producers int) *rules {
	r := &rules{sequence: sequence, table: table, producers: producers}
	for _, l := range table {
		for k := range kinds {
			r.measured[k] = r.measured[k] || l.of(k) != 0
		}
	}
	return r
}

func (r *rules) withProducers(n int) *rules {
	next := *r
	next.sequence++
	next.producers = n
	return &next
}

// source is where a limit comes from.
type source struct {
	level  int // 1 to 8, 0 if there is none
	entity Entity
	value  float64 // percent or bytes per second, 0 if there is none
}

// resolve finds the quota of one kind for an identity and who shares it: a key
// is an entity of names, and a half that is absent is not part of it. The first of
// eight levels that has this kind wins; nothing is combined. Without a quota nothing
// is shared, so that it can be seen whose use it is.
func (r *rules) resolve(k kind, id Identity) (key Entity, from source) {
	user, client := Named(id.User), Named(id.ClientID)
	pair := Entity{user, client}
	ofUser := Entity{User: user}
	ofClient := Entity{ClientID: client}
	levels := [...]struct{ entity, key Entity }{
		{pair, pair},
		{Entity{user, Default()}, pair},
		{ofUser, ofUser},
		{Entity{Default(), client}, pair},
		{Entity{Default(), Default()}, pair},
		{Entity{User: Default()}, ofUser},
		{ofClient, ofClient},
		{Entity{ClientID: Default()}, ofClient},
	}
	for i, l := range levels {
		if v := r.table[l.entity].of(k); v != 0 {
			return l.key, source{level: i + 1, entity: l.entity, value: v}
		}
	}
	return pair, source{}
}

// again finds the quota of those who share a key, and reports false if no identity
// resolves to the key any more. An absent half is resolved as an empty name, for
// which no quota can be set: only defaults apply to it, as to all who have no
// quota of their own.
func (r *rules) again(k kind, key Entity) (from source, ok bool) {
	now, from := r.resolve(k, Identity{key.User.text, key.ClientID.text})
	return from, now == key && r.measured[k]
}

// limit is what a source allows, in units of the account per second.
func (r *rules) limit(k kind, key Entity, from source) limit {
	rate := from.value
	switch {
	case from.level == 0:
		rate = math.Inf(1)
	case k == requestTime:
		rate = from.value / 100 * float64(r.producers) * float64(time.Second)
	}
	return limit{rules: r, key: key, from: from, rate: rate}
}

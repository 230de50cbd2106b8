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

// resolve finds the quota of one kind for an identity and who shares it. The
// first of eight levels that has this kind wins; nothing is combined.
func (r *rules) resolve(k kind, id Identity) (key Identity, from source) {
	user, client := Named(id.User), Named(id.ClientID)
	pair := id
	ofUser := Identity{User: id.User}
	ofClient := Identity{ClientID: id.ClientID}
	levels := [...]struct {
		entity Entity
		key    Identity
	}{
		{Entity{user, client}, pair},
		{Entity{user, Default()}, pair},
		{Entity{User: user}, ofUser},
		{Entity{Default(), client}, pair},
		{Entity{Default(), Default()}, pair},
		{Entity{User: Default()}, ofUser},
		{Entity{ClientID: client}, ofClient},
		{Entity{ClientID: Default()}, ofClient},
	}
	for i, l := range levels {
		if v := r.table[l.entity].of(k); v != 0 {
			return l.key, source{level: i + 1, entity: l.entity, value: v}
		}
	}
	return ofClient, source{}
}

// limit is what a source allows, in units of the account per second.
func (r *rules) limit(k kind, from source) limit {
	rate := from.value
	switch {
	case from.level == 0:
		rate = math.Inf(1)
	case k == requestTime:
		rate = from.value / 100 * float64(r.producers) * float64(time.Second)
	}
	return limit{rules: r, from: from, rate: rate}
}

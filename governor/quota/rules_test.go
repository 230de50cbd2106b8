package quota

import (
	"math"
	"testing"
)

func TestResolve(t *testing.T) {
	table := map[Entity]Limits{
		{Named("u"), Named("c")}:   {ProducerByteRate: 1},
		{Named("u"), Default()}:    {ConsumerByteRate: 2},
		{User: Named("u")}:         {RequestTimePercent: 3},
		{Default(), Named("c")}:    {ProducerByteRate: 4},
		{Default(), Default()}:     {ConsumerByteRate: 5},
		{User: Default()}:          {RequestTimePercent: 6},
		{ClientID: Named("c")}:     {ProducerByteRate: 7},
		{ClientID: Default()}:      {ConsumerByteRate: 8},
		{User: Named("ANONYMOUS")}: {ProducerByteRate: 9},
	}
	tests := []struct {
		kind         kind
		user, client string
		level        int
		value        float64
		key          Entity
	}{
		{producerBytes, "u", "c", 1, 1, Entity{Named("u"), Named("c")}},
		{requestTime, "u", "c", 3, 3, Entity{User: Named("u")}}, // a lower level, since 1 and 2 have none of this kind
		{consumerBytes, "u", "c", 2, 2, Entity{Named("u"), Named("c")}},
		{producerBytes, "u", "x", 0, 0, Entity{Named("u"), Named("x")}}, // nobody shares it
		{producerBytes, "v", "c", 4, 4, Entity{Named("v"), Named("c")}},
		{consumerBytes, "v", "c", 5, 5, Entity{Named("v"), Named("c")}},
		{consumerBytes, "v", "", 5, 5, Entity{Named("v"), Named("")}}, // no client-id: the default, not a hole
		{requestTime, "v", "c", 6, 6, Entity{User: Named("v")}},
		{producerBytes, "", "x", 3, 9, Entity{User: Named("ANONYMOUS")}},
	}
	r := newRules(0, table, 8)
	for _, tt := range tests {
		key, from := r.resolve(tt.kind, Identity{tt.user, tt.client}.normal())
		if key != tt.key || from.level != tt.level || from.value != tt.value || table[from.entity].of(tt.kind) != tt.value {
			t.Errorf("%s of %q %q: %v, %+v; want %v, level %d, %v", keys[tt.kind], tt.user, tt.client, key, from, tt.key, tt.level, tt.value)
		}
	}
}

func TestResolveClientLevels(t *testing.T) {
	r := newRules(0, map[Entity]Limits{
		{ClientID: Named("c")}: {ProducerByteRate: 7},
		{ClientID: Default()}:  {ProducerByteRate: 8},
	}, 1)
	for client, want := range map[string]int{"c": 7, "x": 8, "": 8} {
		if key, from := r.resolve(producerBytes, Identity{"u", client}); from.level != want || key != (Entity{ClientID: Named(client)}) {
			t.Errorf("client-id %q: level %d, %v; want %d, for all users", client, from.level, key, want)
		}
	}
}

func TestLimitRates(t *testing.T) {
	r := newRules(0, nil, 8)
	for _, tt := range []struct {
		kind kind
		from source
		want float64
	}{
		{requestTime, source{level: 1, value: 1}, 80e6},
		{producerBytes, source{level: 1, value: 1024}, 1024},
		{requestTime, source{}, math.Inf(1)},
	} {
		if got := r.limit(tt.kind, alice, tt.from).rate; got != tt.want {
			t.Errorf("%s %v: %v per second, want %v", keys[tt.kind], tt.from.value, got, tt.want)
		}
	}
}

// A key is in force if, and only if, there is an identity that resolves to it. Only
// names of which no entity speaks can stand for all the others.
func TestAgainFindsAllThatAreInForce(t *testing.T) {
	entities := []Entity{
		{Named("u"), Named("c")}, {Named("u"), Default()}, {User: Named("u")},
		{Default(), Named("c")}, {Default(), Default()}, {User: Default()},
		{ClientID: Named("c")}, {ClientID: Default()}, {User: Named("other")},
	}
	for set := range 1 << len(entities) {
		table := map[Entity]Limits{}
		for i, e := range entities {
			if set>>i&1 == 1 {
				table[e] = Limits{ProducerByteRate: int64(i + 1)}
			}
		}
		r := newRules(0, table, 1)
		inForce := map[Entity]source{}
		for _, user := range []string{"u", "other", "fresh"} {
			for _, client := range []string{"c", "", "fresh"} {
				key, from := r.resolve(producerBytes, Identity{user, client})
				inForce[key] = from
			}
		}
		for _, user := range []Name{{}, Named("u"), Named("other"), Named("fresh")} {
			for _, client := range []Name{{}, Named("c"), Named(""), Named("fresh")} {
				key := Entity{user, client}
				want, measured := inForce[key]
				measured = measured && set != 0
				if from, ok := r.again(producerBytes, key); ok != measured || ok && from != want {
					t.Errorf("table %v: %q is in force: %v, %+v; want %v, %+v", table, key, ok, from, measured, want)
				}
			}
		}
	}
}

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
		key          Identity
	}{
		{producerBytes, "u", "c", 1, 1, Identity{"u", "c"}},
		{requestTime, "u", "c", 3, 3, Identity{"u", ""}}, // a lower level, since 1 and 2 have none of this kind
		{consumerBytes, "u", "c", 2, 2, Identity{"u", "c"}},
		{producerBytes, "u", "x", 0, 0, Identity{"", "x"}},
		{producerBytes, "v", "c", 4, 4, Identity{"v", "c"}},
		{consumerBytes, "v", "c", 5, 5, Identity{"v", "c"}},
		{consumerBytes, "v", "", 5, 5, Identity{"v", ""}}, // no client-id: the default, not a hole
		{requestTime, "v", "c", 6, 6, Identity{"v", ""}},
		{producerBytes, "", "x", 3, 9, Identity{"ANONYMOUS", ""}},
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
		if key, from := r.resolve(producerBytes, Identity{"u", client}); from.level != want || key != (Identity{"", client}) {
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
		if got := r.limit(tt.kind, tt.from).rate; got != tt.want {
			t.Errorf("%s %v: %v per second, want %v", keys[tt.kind], tt.from.value, got, tt.want)
		}
	}
}

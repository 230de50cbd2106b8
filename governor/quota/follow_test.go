package quota

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// entities tells what Stats say, each in one line.
func entities(q *Quotas, at time.Duration) (lines []string) {
	for _, u := range q.Stats(q.epoch.Add(at)).Entities {
		lines = append(lines, fmt.Sprintf("%s/%s level %d %s %g%% used %g muted %v", u.User, u.ClientID, u.Level, u.Entity, u.Limit, u.Utilisation, u.Mute))
	}
	return lines
}

// Whatever is changed shows at once, without another charge, and what is no longer
// in force does not show.
func TestStatsFollowTheRules(t *testing.T) {
	app := Entity{Named("alice"), Named("app")}
	remove := func(e Entity) func(*testing.T, *Quotas) {
		return func(t *testing.T, q *Quotas) {
			if err := q.Remove(e); err != nil {
				t.Error(err)
			}
		}
	}
	alter := func(e Entity, value string) func(*testing.T, *Quotas) {
		return func(t *testing.T, q *Quotas) { mustAlter(t, q, e, percent(value)) }
	}
	for name, tt := range map[string]struct {
		set     []Entity
		change  func(*testing.T, *Quotas)
		want    []string
		charged []string // after the next charge, of nothing
	}{
		"nothing": {
			[]Entity{alice}, func(*testing.T, *Quotas) {},
			[]string{"alice/ level 3 users/alice 1% used 1.5 muted 500ms"},
			[]string{"alice/ level 3 users/alice 1% used 1.5 muted 500ms"},
		},
		"the only quota is removed": {[]Entity{alice}, remove(alice), nil, nil},
		"the quota is removed, another remains": {
			[]Entity{alice, {User: Named("bob")}}, remove(alice), nil,
			[]string{"alice/app level 0 (nobody) 0% used 0 muted 0s"},
		},
		"removed, with the same account": {
			[]Entity{app, {User: Named("bob")}}, remove(app),
			[]string{"alice/app level 0 (nobody) 0% used 0 muted 0s"},
			[]string{"alice/app level 0 (nobody) 0% used 0 muted 0s"},
		},
		"raised": {
			[]Entity{alice}, alter(alice, "2"),
			[]string{"alice/ level 3 users/alice 2% used 0.75 muted 500ms"},
			[]string{"alice/ level 3 users/alice 2% used 0.75 muted 500ms"},
		},
		"falls back": {
			[]Entity{alice, {User: Default()}}, remove(alice),
			[]string{"alice/ level 6 users/<default> 1% used 1.5 muted 500ms"},
			[]string{"alice/ level 6 users/<default> 1% used 1.5 muted 500ms"},
		},
		// Other clients of alice still share it.
		"the client has its own": {
			[]Entity{alice}, alter(app, "2"),
			[]string{"alice/ level 3 users/alice 1% used 1.5 muted 500ms"},
			[]string{"alice/ level 3 users/alice 1% used 1.5 muted 500ms", "alice/app level 1 users/alice/clients/app 2% used 0 muted 0s"},
		},
		"each client has its own": {
			[]Entity{alice}, alter(Entity{Named("alice"), Default()}, "2"), nil,
			[]string{"alice/app level 2 users/alice/clients/<default> 2% used 0 muted 0s"},
		},
		"users come before client-ids": {
			[]Entity{{ClientID: Named("app")}}, alter(Entity{User: Default()}, "2"), nil,
			[]string{"alice/ level 6 users/<default> 2% used 0 muted 0s"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			q := mustNew(t, Options{Producers: 8})
			for _, e := range tt.set {
				mustAlter(t, q, e, percent("1"))
			}
			gate := producerOf(q, "alice", "app")
			gate.Charge(q.epoch, 120*ms, 0)
			tt.change(t, q)
			if got := entities(q, 0); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			gate.Charge(q.epoch, 0, 0)
			if got := entities(q, 0); !slices.Equal(got, tt.charged) {
				t.Errorf("charged: got %q\nwant %q", got, tt.charged)
			}
		})
	}
}

// What does not show is not forgotten: a quota that is set again finds the debt.
func TestRemovedQuotaComesBack(t *testing.T) {
	q := set(t, Options{}, percent("1"))
	gate := producerOf(q, "alice", "app")
	gate.Charge(q.epoch, 8*time.Second, 0)
	if err := q.Remove(alice); err != nil || len(entities(q, 0)) != 0 {
		t.Errorf("%v, %q", err, entities(q, 0))
	}
	mustAlter(t, q, alice, percent("1"))
	if got := q.Stats(q.epoch).Entities; len(got) != 1 || got[0].Total != int64(8*time.Second) || gate.accounts[1].bucket.missing != 8e9 {
		t.Errorf("got %+v, want the same account", got)
	}
}

// The budget that newcomers share has the limit of the last one. When its quota is
// removed, those that are still held back stay so.
func TestStatsLetNoNewcomersOff(t *testing.T) {
	q := mustNew(t, Options{Producers: 8, MaxEntities: 1})
	app := Entity{Named("bob"), Named("app")}
	for _, e := range []Entity{alice, app, {User: Named("carol")}} {
		mustAlter(t, q, e, percent("1"))
	}
	producerOf(q, "alice", "").Charge(q.epoch, time.Second, 0)
	gate := producerOf(q, "carol", "")
	gate.Charge(q.epoch, time.Second, 0)
	producerOf(q, "bob", "app").Charge(q.epoch, time.Second, 0)
	if err := q.Remove(app); err != nil {
		t.Fatal(err)
	}
	if got := q.Stats(q.epoch).Entities; len(got) != 1 || got[0].User != "alice" {
		t.Errorf("got %+v, want alice alone", got)
	}
	gate.Charge(q.epoch, 0, 0)
	if got := q.Stats(q.epoch).Entities; len(got) != 2 || !got[0].Other || got[0].Level != 3 || got[0].Mute != time.Second {
		t.Errorf("got %+v, want what carol still owes", got)
	}
	mustAlter(t, q, Entity{User: Named("carol")}, percent("2"))
	if got := q.Stats(q.epoch).Entities; len(got) != 2 || got[0].Limit != 2 {
		t.Errorf("got %+v, want carol's new limit", got)
	}
}

// To look is no use: it must not keep an entity from being forgotten.
func TestStatsKeepNothingAlive(t *testing.T) {
	q := set(t, Options{}, percent("1"))
	producerOf(q, "alice", "").Charge(q.epoch, ms, 0)
	mustAlter(t, q, alice, percent("2"))
	q.Stats(q.epoch.Add(time.Hour))
	q.Describe(q.epoch.Add(time.Hour), Identity{User: "alice"})
	if n := q.Expire(q.epoch.Add(time.Hour + 1)); n != 1 {
		t.Errorf("%d expired, want 1", n)
	}
}

// Without quotas of their own two users of the same client-id are two.
func TestUnlimitedAreMeasuredApart(t *testing.T) {
	q := set(t, Options{}, percent("1"))
	producerOf(q, "bob", "app").Charge(q.epoch, 80*ms, 0)
	producerOf(q, "carol", "app").Charge(q.epoch, 160*ms, 0)
	producerOf(q, "carol", "").Charge(q.epoch, 240*ms, 0)
	var got []string
	for _, u := range q.Stats(q.epoch).Entities {
		got = append(got, fmt.Sprintf("%s/%s %g%% %d", u.User, u.ClientID, u.Used, u.Level))
	}
	if want := []string{"bob/app 1% 0", "carol/ 3% 0", "carol/app 2% 0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if u := q.Describe(q.epoch, Identity{User: "carol", ClientID: "app"})[0]; u.User != "carol" || u.Used != 2 {
		t.Errorf("got %+v, want carol's use", u)
	}
	// The quota that it then gets finds what was used.
	mustAlter(t, q, Entity{Named("carol"), Default()}, percent("1"))
	if u := q.Describe(q.epoch, Identity{User: "carol", ClientID: "app"})[0]; u.Utilisation != 2 {
		t.Errorf("got %+v, want twice the quota", u)
	}
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/headrace/headrace/governor/quota"
)

// show prints the entities that are asked for. Documents that cannot be read do
// not keep the others from being shown.
func (o options) show(stdout io.Writer) error {
	table, err := o.dir.All()
	shown := 0
	for _, e := range slices.SortedFunc(maps.Keys(table), byPath) {
		if o.entities.matches(e) {
			o.print(stdout, e, table[e])
			shown++
		}
	}
	if shown == 0 && err == nil {
		fmt.Fprintln(stdout, "no quotas")
	}
	if id, ok := o.entities.identity(); ok && err == nil {
		return o.showEffective(stdout, id)
	}
	return err
}

func byPath(a, b quota.Entity) int { return cmp.Compare(a.String(), b.String()) }

// identity returns the user and the client-id if both are named: then it is clear
// which quotas apply.
func (e entities) identity() (id quota.Identity, ok bool) {
	for _, p := range e.parts {
		if !p.named {
			return id, false
		}
		if p.kind == users {
			id.User = p.name
		} else {
			id.ClientID = p.name
		}
	}
	return id, len(e.parts) == 2
}

func (o options) showEffective(stdout io.Writer, id quota.Identity) error {
	quotas, err := quota.New(quota.Options{Dir: o.dir, Producers: o.workers, Window: o.window})
	if err != nil {
		return err
	}
	defer quotas.Close()
	fmt.Fprintln(stdout, "in effect:")
	for _, u := range quotas.Describe(time.Now(), id) {
		fmt.Fprintf(stdout, "  %v\n", u)
	}
	return nil
}

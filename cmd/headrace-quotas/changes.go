package main

import (
	"fmt"
	"strings"

	"github.com/headrace/headrace/governor/quota"
)

// add takes K=V,... . What is wrong with a key or a value is for the package quota
// to say.
func (o *options) add(list string) error {
	for pair := range strings.SplitSeq(list, ",") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return fmt.Errorf("%q is not of the form key=value", pair)
		}
		o.changes = append(o.changes, quota.Change{Key: quota.Key(key), Value: value})
	}
	return nil
}

// remove takes K,... .
func (o *options) remove(list string) error {
	for key := range strings.SplitSeq(list, ",") {
		if key == "" || strings.Contains(key, "=") {
			return fmt.Errorf("%q is not a key", key)
		}
		o.changes = append(o.changes, quota.Change{Key: quota.Key(key), Remove: true})
	}
	return nil
}

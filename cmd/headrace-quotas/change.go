package main

import (
	"fmt"
	"io"

	"github.com/headrace/headrace/governor/quota"
)

// change makes the changes and prints what is set then.
func (o options) change(stdout io.Writer) error {
	e := o.entities.entity()
	limits, err := o.dir.Alter(e, o.changes...)
	if err != nil {
		return err
	}
	o.print(stdout, e, limits)
	return nil
}

// print writes an entity and its quotas, with what they come to.
func (o options) print(stdout io.Writer, e quota.Entity, l quota.Limits) {
	fmt.Fprintln(stdout, e)
	if l == (quota.Limits{}) {
		fmt.Fprintln(stdout, "  no quotas of its own")
	}
	if text := l.Text(quota.RequestTimePercent); text != "" {
		budget := quota.Budget{Percent: l.RequestTimePercent, Workers: o.workers, Window: o.window}
		fmt.Fprintf(stdout, "  %s=%s   %v\n", quota.RequestTimePercent, text, budget)
	}
	for _, key := range []quota.Key{quota.ProducerByteRate, quota.ConsumerByteRate} {
		if text := l.Text(key); text != "" {
			fmt.Fprintf(stdout, "  %s=%s   %s bytes per 1s\n", key, text, text)
		}
	}
}

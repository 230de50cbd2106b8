package main

import (
	"fmt"
	"io"
	"time"

	"github.com/headrace/headrace/governor/quota"
)

// help writes the text around the flags, which flags writes. It has its budget from
// where all others come from.
func help(w io.Writer, flags func()) {
	budget := quota.Budget{Percent: 1, Workers: defaultWorkers, Window: time.Second}
	fmt.Fprintf(w, usage, budget)
	flags()
	fmt.Fprintf(w, example, budget)
}

const usage = `headrace-quotas shows and edits the quotas of a directory that a pipeline watches.

Usage:

  headrace-quotas --config-dir D --alter    [--add-config K=V,...] [--delete-config K,...] ENTITY
  headrace-quotas --config-dir D --describe [ENTITY]

Quotas (K=V):

  request_time_percent=1.0   percent of the time of all producers, above 0, up to 100
  producer_byte_rate=1024    bytes per second that producers take in
  consumer_byte_rate=1024    bytes per second that consumers take

The budget of a percentage is percent/100 x workers x window: %v.
These workers are the goroutines that produce, all producers of the pipeline together.

Entities:

  --entity-type users --entity-name alice                      the user alice
  --entity-type users                                          every user without a quota of its own
  --entity-type clients --entity-name app                      the client-id app
  --entity-type clients                                        every client-id without a quota of its own
  --entity-type users --entity-name alice \
  --entity-type clients --entity-name app                      alice's client-id app

  The most specific entity that has a quota applies, by itself. Defaults give their
  quota to each that they stand for. With --describe an entity without a name shows
  all of its type; without an entity, all there are.

Flags (one dash or two):

`

const example = `
Example:

  headrace-quotas --config-dir D --alter --add-config 'request_time_percent=1.0' \
      --entity-type users --entity-name alice
  users/alice
    request_time_percent=1.0   %v
`

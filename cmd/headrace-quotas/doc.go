// The command headrace-quotas shows and edits the quotas of a directory that a
// pipeline watches. See the package governor/quota for what they mean. Budgets are
// shown for the producer goroutines given by --workers, 8 by default.
//
//	headrace-quotas --config-dir D --alter --add-config 'request_time_percent=1.0' --entity-type users --entity-name alice
//	headrace-quotas --config-dir D --alter --delete-config request_time_percent --entity-type users --entity-name alice
//	headrace-quotas --config-dir D --describe
//
// A change is made whole or not at all. The exit status is 1 on bad input, with an
// error that says what is wrong.
package main

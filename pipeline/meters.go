package pipeline

import (
	"sync/atomic"
	"time"
)

// meters measures a run.
type meters struct {
	started, ended   atomic.Pointer[time.Time]
	failed, panicked atomic.Uint64 // attempts
	overdue          atomic.Uint64

	admit, wait, service, age, oldest recorder
}

// done measures an entry that was taken at the time given and processed at
// end, from what it waited and its newest value aged until it was taken.
func (m *meters) done(taken, end time.Time, wait, age time.Duration) {
	service := end.Sub(taken)
	m.wait.record(wait)
	m.service.record(service)
	m.age.record(age + service)
	m.oldest.record(wait + service)
}

// elapsed returns how long the run has lasted by now.
func (m *meters) elapsed(now time.Time) time.Duration {
	started, ended := m.started.Load(), m.ended.Load()
	switch {
	case started == nil:
		return 0
	case ended != nil:
		return ended.Sub(*started)
	default:
		return now.Sub(*started)
	}
}

package quota

import (
	"context"
	"errors"
	"time"
)

const (
	scanEvery   = time.Second
	expireEvery = 30 * time.Second
)

// Watch keeps the quotas up to date until ctx ends or they are closed: it calls
// Reload once a second and Expire every 30 s. It waits, so it needs a goroutine of
// its own. Errors go to Options.OnError; the same one twice running is told once.
func (q *Quotas) Watch(ctx context.Context) {
	ticker := time.NewTicker(scanEvery)
	defer ticker.Stop()
	told, expired := "", time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-q.closed:
			return
		case now := <-ticker.C:
			told = q.tell(told, q.Reload())
			if now.Sub(expired) >= expireEvery {
				q.Expire(now)
				expired = now
			}
		}
	}
}

// tell returns what OnError has been told last.
func (q *Quotas) tell(told string, err error) string {
	if err == nil {
		return ""
	}
	if err.Error() != told && q.options.OnError != nil {
		q.options.OnError(err)
	}
	return err.Error()
}

// Reload looks for documents that have changed and puts them in force, all in
// one step. A bad document is reported and the old one of its entity stays; a
// new one that is bad has no effect; a directory that cannot be read changes
// nothing. Without Options.Dir it does nothing. A scan without changes costs a
// stat for each document.
func (q *Quotas) Reload() error {
	if q.options.Dir == "" {
		return nil
	}
	q.configuring.Lock()
	defer q.configuring.Unlock()
	documents, changed, err := q.options.Dir.scan(q.documents)
	if !changed {
		return err
	}
	q.documents = documents
	table, clash := tableOf(q.options.Dir, documents)
	return errors.Join(err, clash, q.replace(table))
}

package pipeline

import (
	"errors"
	"time"

	"github.com/headrace/headrace/cache"
	"github.com/headrace/headrace/governor"
	"github.com/rs/zerolog"
)

// events writes the log. What can come once for each value is sampled: a burst
// of 5, then nothing until the second is over. The statistics count them all.
// Writing an error or a key calls methods of the user's, so it is guarded.
type events struct {
	log zerolog.Logger
	// One sampler for each kind of event, so that none hides another.
	failures, deaths, invalids, rejects, drops, panics, sources zerolog.Logger
}

func newEvents(log zerolog.Logger, name string) events {
	log = log.With().Str("pipeline", name).Logger()
	sampled := func() zerolog.Logger {
		return log.Sample(&zerolog.BurstSampler{Burst: 5, Period: time.Second})
	}
	return events{log, sampled(), sampled(), sampled(), sampled(), sampled(), sampled(), sampled()}
}

func (e *events) started(producers, workers int) {
	e.log.Info().Int("producers", producers).Int("workers", workers).Msg("pipeline started")
}

func (e *events) outlasts(producer string, limit, maxAge time.Duration) {
	e.log.Warn().Str("producer", producer).Dur("hold_limit", limit).Dur("max_age", maxAge).
		Msg("values can outlast hold")
}

func (e *events) stopping(why cause) {
	e.log.Info().Str("cause", string(why)).Msg("pipeline stopping")
}

func (e *events) stopped(l cache.Ledger, err error) {
	guard(func() {
		level := zerolog.InfoLevel
		if err != nil {
			level = zerolog.ErrorLevel
		}
		e.log.WithLevel(level).Err(err).Uint64("puts", l.Puts).Uint64("merged", l.Merged).
			Uint64("done", l.Done).Uint64("dead", l.Dead).Uint64("waiting", l.Waiting).Msg("pipeline stopped")
	})
}

func (e *events) deadline(l cache.Ledger) {
	e.log.Warn().Uint64("waiting", l.Waiting).Uint64("leased", l.Leased).Msg("drain deadline reached")
}

func (e *events) decision(d governor.Decision) {
	e.log.Debug().Str("reason", d.Reason.String()).Int("from", d.From).Int("to", d.To).
		Dur("signal", d.Signal).Dur("high", d.High).Dur("low", d.Low).
		Int("samples", d.Samples).Int("queued", d.Queued).Bool("braked", d.Braked).Msg("governor decision")
}

func (e *events) limit(from, to int) {
	e.log.Debug().Int("from", from).Int("to", to).Msg("limit changed")
}

// sourceFailed tells of a failure that does not stop the pipeline. Without a
// back-off the source is not started again.
func (e *events) sourceFailed(producer string, err error, backoff time.Duration) {
	guard(func() {
		event := attach(e.sources.Warn(), err).Str("producer", producer)
		if backoff > 0 {
			event.Dur("backoff", backoff).Msg("source restarts")
			return
		}
		event.Msg("source failed")
	})
}

func (e *events) failed(key any, attempt int, err error) {
	guard(func() {
		attach(e.failures.Warn(), err).Any("key", key).Int("attempt", attempt).Msg("handler failed")
	})
}

func (e *events) dead(key any, attempts int, err error) {
	guard(func() {
		attach(e.deaths.Error(), err).Any("key", key).Int("attempts", attempts).Msg("entry dead")
	})
}

func (e *events) invalid(producer string, err error) {
	guard(func() {
		attach(e.invalids.Warn(), err).Str("producer", producer).Msg("value invalid")
	})
}

func (e *events) rejected(producer string, err error) {
	guard(func() {
		e.rejects.Warn().Err(err).Str("producer", producer).Msg("value rejected")
	})
}

func (e *events) dropped(key any, reason cache.Reason) {
	if reason == cache.Dead { // has its own event
		return
	}
	guard(func() {
		e.drops.Warn().Any("key", key).Str("reason", reason.String()).Msg("value dropped")
	})
}

// call calls one of the user's callbacks. A panic in it is reported, and changes
// nothing: it must not end what the pipeline is in the middle of.
func (e *events) call(callback string, f func()) {
	if err := guard(f); err != nil {
		attach(e.panics.Error(), err).Str("callback", callback).Msg("callback panicked")
	}
}

// attach adds an error, and the stack if it was a panic.
func attach(event *zerolog.Event, err error) *zerolog.Event {
	var panicked *PanicError
	if event.Enabled() && errors.As(err, &panicked) {
		event.Bytes("stack", panicked.Stack)
	}
	return event.Err(err)
}

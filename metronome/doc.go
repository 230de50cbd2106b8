// Package metronome gives a steady beat with sequence numbers.
//
// [Beats] is a sequence to range over. Each [Beat] says which beat it is, when
// it was due, and how many beats were missed since the one before it:
//
//	beats, err := metronome.Beats(ctx, metronome.Options{Interval: time.Millisecond})
//	if err != nil {
//		return err
//	}
//	for beat := range beats {
//		drain(1 + beat.Missed)
//	}
//
// Beat n is due at start + n x Interval, so neither late timers nor slow bodies
// make the beat drift. Timers do come late: on Linux a 50 us ticker fires about
// once a millisecond, and a loaded machine loses some ticks of a 1 ms ticker.
// [time.Ticker] drops what it could not deliver. A metronome reports it in
// Missed and counts it in Sequence, so that a caller who adds them up keeps the
// rate that was asked for.
//
// However long a body takes, one beat follows it and not a backlog. A body may
// therefore wait for hours, for instance until there is work again. No timer
// runs meanwhile.
//
// The package example adds up the beats of a metronome with a limit.
package metronome

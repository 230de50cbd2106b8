package main

import (
	"io"

	"github.com/rs/zerolog"
)

// newLogger writes to w what a person can read, if it is verbose.
func newLogger(verbose bool, w io.Writer) zerolog.Logger {
	if !verbose {
		return zerolog.Nop()
	}
	console := zerolog.ConsoleWriter{Out: w, TimeFormat: "15:04:05.000"}
	return zerolog.New(console).With().Timestamp().Logger()
}

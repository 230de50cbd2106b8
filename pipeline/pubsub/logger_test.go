package pubsub

import (
	"errors"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/rs/zerolog"
)

// What Watermill logs reaches zerolog as the documentation of the package says.
func TestLoggerOfWatermill(t *testing.T) {
	var out strings.Builder
	log := watermill.NewSlogLogger(slog.New(zerolog.NewSlogHandler(zerolog.New(&out))))
	log = log.With(watermill.LogFields{"topic": "in"})
	log.Error("e", errors.New("boom"), nil)
	log.Info("i", nil)
	log.Debug("d", watermill.LogFields{"n": 1})
	log.Trace("t", nil)
	lines := regexp.MustCompile(`"time":"[^"]*",`).ReplaceAllString(out.String(), "")
	got := strings.Split(strings.TrimSpace(lines), "\n")
	want := []string{
		`{"level":"error","topic":"in","error":"boom","message":"e"}`,
		`{"level":"info","topic":"in","message":"i"}`,
		`{"level":"debug","topic":"in","n":1,"message":"d"}`,
		`{"level":"trace","topic":"in","message":"t"}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

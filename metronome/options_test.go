package metronome_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/headrace/headrace/metronome"
)

func ExampleOptions_Validate() {
	o := metronome.Options{Interval: -time.Second}
	fmt.Println(o.Validate())
	// Output: metronome: Options.Interval is negative: -1s
}

func TestValidateAccepts(t *testing.T) {
	for _, o := range []metronome.Options{
		{},
		{Interval: 1},
		{Interval: 1<<63 - 1, Align: true, Limit: 1<<64 - 1},
		{Align: true, Limit: 3}, // disabled
	} {
		if err := o.Validate(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestNegativeIntervalNamesTheField(t *testing.T) {
	beats, err := metronome.Beats(context.Background(), metronome.Options{Interval: -1})
	if err == nil || !strings.Contains(err.Error(), "Interval") {
		t.Errorf("error %v, want one that names Interval", err)
	}
	if beats != nil {
		t.Error("a sequence was returned beside the error")
	}
}

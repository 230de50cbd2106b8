package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestResultWrite(t *testing.T) {
	r := result{Events: 3, Updates: 4, Emitted: 1, Merged: 3, Balanced: true, Matches: true, Levels: 1, Contracts: 2, BestBid: "99.50", Seconds: 1.5}
	var text, line bytes.Buffer
	if err := r.write(&text, false); err != nil {
		t.Fatal(err)
	}
	if err := r.write(&line, true); err != nil {
		t.Fatal(err)
	}
	wantLine := `{"events":3,"updates":4,"emitted":1,"merged":3,"waiting":0,"balanced":true,"matches":true,` +
		`"levels":1,"contracts":2,"best_bid":"99.50","best_ask":"","seconds":1.5}` + "\n"
	if line.String() != wantLine {
		t.Errorf("got  %swant %s", line.String(), wantLine)
	}
	for _, want := range []string{"events     3     in 1.500 s", "merged     3 ", "best bid   99.50", "best ask   none"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
}

func TestResultCheck(t *testing.T) {
	for _, tt := range []struct {
		result
		ok bool
	}{
		{result{Balanced: true, Matches: true}, true},
		{result{Balanced: true}, false},
		{result{Matches: true}, false},
	} {
		if err := tt.check(); (err == nil) != tt.ok {
			t.Errorf("%+v: %v", tt.result, err)
		}
	}
}

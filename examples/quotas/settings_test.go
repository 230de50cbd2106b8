package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/headrace/headrace/governor/quota"
)

func TestLowerDoesWhatTheCommandSays(t *testing.T) {
	s, err := newSettings(t.TempDir(), 16)
	if err != nil {
		t.Fatal(err)
	}
	command, err := s.lower("acme")
	want := "go run ./cmd/headrace-quotas --config-dir '" + string(s.dir) + "' --workers 16" +
		" --alter --add-config request_time_percent=2.0 --entity-type users --entity-name acme"
	if err != nil || command != want {
		t.Errorf("got %q, %v; want %q", command, err, want)
	}
	set, err := s.dir.All()
	if err != nil || len(set) != 2 ||
		set[quota.Entity{User: quota.Named("acme")}].RequestTimePercent != 2 ||
		set[quota.Entity{User: quota.Default()}].RequestTimePercent != 4 {
		t.Errorf("set %v, %v; want 2 %% for acme and 4 %% for the others", set, err)
	}
}

func TestPrintCommands(t *testing.T) {
	s := settings{dir: "d e", producers: 3}
	var out bytes.Buffer
	s.printCommands(&out, "acme")
	for _, want := range []string{
		"--config-dir 'd e' --workers 3 --describe\n",
		"--alter --add-config request_time_percent=6.0 --entity-type users --entity-name acme\n",
		"--alter --delete-config request_time_percent --entity-type users --entity-name acme\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &out)
		}
	}
}

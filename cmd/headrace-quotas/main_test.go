package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// command runs the command line in dir and returns all there is to see.
func command(dir string, args ...string) (status int, stdout, stderr string) {
	var out, bad bytes.Buffer
	status = run(append([]string{"--config-dir", dir}, args...), &out, &bad)
	return status, out.String(), bad.String()
}

// must expects success and the output.
func must(t *testing.T, dir, want string, args ...string) {
	t.Helper()
	if status, stdout, stderr := command(dir, args...); status != 0 || stdout != want || stderr != "" {
		t.Errorf("%q: status %d, %q, %q; want %q", args, status, stdout, stderr, want)
	}
}

func TestAlter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "quotas")
	must(t, dir, "users/alice\n  request_time_percent=1.0   1 % of 8 workers = 80ms per 1s\n",
		"--alter", "--add-config", "request_time_percent=1.0", "--entity-type", "users", "--entity-name", "alice")
	data, err := os.ReadFile(filepath.Join(dir, "users", "alice.json"))
	if want := `{"version":2,"config":{"request_time_percent":"1.0"}}` + "\n"; err != nil || string(data) != want {
		t.Errorf("wrote %q, %v; want %q", data, err, want)
	}
	must(t, dir, "users/alice\n  request_time_percent=2.5   2.5 % of 3 workers = 750ms per 10s\n  producer_byte_rate=1024   1024 bytes per 1s\n",
		"-alter", "-add-config=request_time_percent=2.5,producer_byte_rate=1024", "-entity-type=users", "-entity-name=alice", "-workers=3", "-window=10s")
	must(t, dir, "users/alice\n  producer_byte_rate=1024   1024 bytes per 1s\n  consumer_byte_rate=7   7 bytes per 1s\n",
		"--alter", "--delete-config", "request_time_percent", "--add-config", "consumer_byte_rate=7", "--entity-type", "users", "--entity-name", "alice")
	must(t, dir, "users/alice\n  no quotas of its own\n",
		"--alter", "--delete-config", "producer_byte_rate,consumer_byte_rate,request_time_percent", "--entity-type", "users", "--entity-name", "alice")
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestEntities(t *testing.T) {
	dir := t.TempDir()
	for path, args := range map[string][]string{
		"users/<default>":                   {"--entity-type", "users"},
		"clients/<default>":                 {"--entity-type", "clients"},
		"clients/app":                       {"--entity-type", "clients", "--entity-name", "app"},
		"users/alice/clients/app":           {"--entity-type", "users", "--entity-name", "alice", "--entity-type", "clients", "--entity-name", "app"},
		"users/alice/clients/bob":           {"--entity-type", "clients", "--entity-name", "bob", "--entity-type", "users", "--entity-name", "alice"},
		"users/alice/clients/<default>":     {"--entity-type", "users", "--entity-name", "alice", "--entity-type", "clients"},
		"users/<default>/clients/app":       {"--entity-type", "users", "--entity-type", "clients", "--entity-name", "app"},
		"users/<default>/clients/<default>": {"--entity-type", "users", "--entity-type", "clients"},
		"users/%3Cdefault%3E":               {"--entity-type", "users", "--entity-name", "<default>"},
		"users/..":                          {"--entity-type", "users", "--entity-name", ".."},
	} {
		must(t, dir, path+"\n  producer_byte_rate=5   5 bytes per 1s\n", append([]string{"--alter", "--add-config", "producer_byte_rate=5"}, args...)...)
	}
	if _, stdout, _ := command(dir, "--describe"); strings.Count(stdout, "producer_byte_rate=5") != 10 {
		t.Errorf("not all ten are shown:\n%s", stdout)
	}
}

func TestDescribe(t *testing.T) {
	dir := t.TempDir()
	must(t, dir, "no quotas\n", "--describe")
	for _, args := range [][]string{
		{"request_time_percent=1.0", "--entity-type", "users"},
		{"request_time_percent=2.0", "--entity-type", "users", "--entity-name", "alice"},
		{"producer_byte_rate=9", "--entity-type", "users", "--entity-name", "alice", "--entity-type", "clients", "--entity-name", "app"},
		{"consumer_byte_rate=7", "--entity-type", "clients", "--entity-name", "app"},
	} {
		if status, _, stderr := command(dir, append([]string{"--alter", "--add-config"}, args...)...); status != 0 {
			t.Fatal(stderr)
		}
	}
	const (
		app     = "clients/app\n  consumer_byte_rate=7   7 bytes per 1s\n"
		all     = "users/<default>\n  request_time_percent=1.0   1 % of 8 workers = 80ms per 1s\n"
		alice   = "users/alice\n  request_time_percent=2.0   2 % of 8 workers = 160ms per 1s\n"
		both    = "users/alice/clients/app\n  producer_byte_rate=9   9 bytes per 1s\n"
		effects = "in effect:\n" +
			"  request_time_percent=2.0 (2 % of 8 workers = 160ms per 1s) from users/alice\n" +
			"  producer_byte_rate=9 from users/alice/clients/app\n" +
			"  consumer_byte_rate=7 from clients/app\n"
	)
	must(t, dir, app+all+alice+both, "--describe")
	must(t, dir, all+alice, "--describe", "--entity-type", "users")
	must(t, dir, alice, "--describe", "--entity-type", "users", "--entity-name", "alice")
	must(t, dir, app, "--describe", "--entity-type", "clients")
	must(t, dir, both, "--describe", "--entity-type", "users", "--entity-type", "clients")
	must(t, dir, both+effects, "--describe", "--entity-type", "users", "--entity-name", "alice", "--entity-type", "clients", "--entity-name", "app")
	must(t, dir, "no quotas\n", "--describe", "--entity-type", "users", "--entity-name", "bob")

	// The good ones are shown beside a bad one.
	if err := os.WriteFile(filepath.Join(dir, "users", "bad.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := command(dir, "--describe")
	if status != 1 || stdout != app+all+alice+both || !strings.Contains(stderr, "bad.json: version") {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
}

func TestBadInputChangesNothing(t *testing.T) {
	dir := t.TempDir()
	alice := []string{"--entity-type", "users", "--entity-name", "alice"}
	alter := func(config string) []string { return append([]string{"--alter", "--add-config", config}, alice...) }
	if status, _, stderr := command(dir, alter("producer_byte_rate=5")...); status != 0 {
		t.Fatal(stderr)
	}
	before, err := os.ReadFile(filepath.Join(dir, "users", "alice.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		want string
		args []string
	}{
		{`users/alice: request_time_percent="0": must be greater than 0`, alter("producer_byte_rate=6,request_time_percent=0")},
		{`request_time_percent="101": must be at most 100`, alter("request_time_percent=101")},
		{`request_time_percent: must be a decimal`, alter("request_time_percent=")},
		{`request_percentage="1": unknown key`, alter("request_percentage=1")},
		{`producer_byte_rate="1.5": must be a whole number`, alter("producer_byte_rate=1.5")},
		{"stands twice", alter("producer_byte_rate=6,producer_byte_rate=7")},
		{"stands twice", append(alter("producer_byte_rate=6"), "--delete-config", "producer_byte_rate")},
		{`"producer_byte_rate" is not of the form key=value`, alter("producer_byte_rate")},
		{`"a=b" is not a key`, append([]string{"--alter", "--delete-config", "a=b"}, alice...)},
		{"unknown key", append([]string{"--alter", "--delete-config", "x"}, alice...)},
		{"--alter needs --entity-type", []string{"--alter", "--add-config", "producer_byte_rate=6"}},
		{"--alter needs --add-config or --delete-config", append([]string{"--alter"}, alice...)},
		{"must be users or clients", []string{"--alter", "--add-config", "producer_byte_rate=6", "--entity-type", "topics"}},
		{"is given twice", append([]string{"--describe", "--entity-type", "users"}, alice...)},
		{"before any --entity-type", []string{"--describe", "--entity-name", "alice"}},
		{"users has a name already", append([]string{"--describe"}, append(alice, "--entity-name", "bob")...)},
		{"must not be empty", []string{"--describe", "--entity-type", "users", "--entity-name", ""}},
		{"either --alter or --describe", nil},
		{"either --alter or --describe", append(alter("producer_byte_rate=6"), "--describe")},
		{"go with --alter", append([]string{"--describe", "--add-config", "producer_byte_rate=6"}, alice...)},
		{`"more" is neither a flag nor the value of one`, append(alter("producer_byte_rate=6"), "more")},
		{"--workers must be at least 1", []string{"--describe", "--workers", "0"}},
		{"--window must be positive", []string{"--describe", "--window", "0s"}},
		{"flag provided but not defined: -nonsense", []string{"--nonsense"}},
		{"--config-dir is missing", []string{"--describe", "--config-dir", ""}},
		{"no such file", []string{"--describe", "--config-dir", filepath.Join(dir, "not", "there")}},
	} {
		status, stdout, stderr := command(dir, tt.args...)
		if status != 1 || stdout != "" || !strings.Contains(stderr, tt.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: status %d, %q, %q; want 1 and %q", tt.args, status, stdout, stderr, tt.want)
		}
	}
	if after, err := os.ReadFile(filepath.Join(dir, "users", "alice.json")); err != nil || string(after) != string(before) {
		t.Errorf("%q has become %q, %v", before, after, err)
	}
	if entries, _ := os.ReadDir(filepath.Join(dir, "users")); len(entries) != 1 {
		t.Errorf("got %v, want one document", entries)
	}
}

func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run([]string{"--help"}, &stdout, &stderr); status != 0 || stderr.Len() != 0 {
		t.Errorf("status %d, %q", status, stderr.String())
	}
	for _, want := range []string{"--config-dir D --alter", "-delete-config", "-describe", "-workers", "1 % of 8 workers = 80ms per 1s", "workers are the goroutines that produce", "every user without a quota"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("%q is missing in\n%s", want, stdout.String())
		}
	}
}

package quota

import (
	"errors"
	"testing"
)

func TestEntityPaths(t *testing.T) {
	tests := map[string]Entity{
		"users/alice":                       {User: Named("alice")},
		"users/<default>":                   {User: Default()},
		"users/%3Cdefault%3E":               {User: Named("<default>")},
		"users/Bob/clients/app%201":         {Named("Bob"), Named("app 1")},
		"users/a%2Fb/clients/<default>":     {Named("a/b"), Default()},
		"users/<default>/clients/<default>": {Default(), Default()},
		"clients/app":                       {ClientID: Named("app")},
		"clients/<default>":                 {ClientID: Default()},
	}
	for path, e := range tests {
		if got := e.String(); got != path {
			t.Errorf("%q, want %q", got, path)
		}
		if got, err := parseEntity(path); err != nil || got != e {
			t.Errorf("%q is read as %v, %v", path, got, err)
		}
	}
	for _, path := range []string{"", "users", "groups/a", "users/a/clients", "users/%zz", "users/a/clients/%zz", "users/a/b/c"} {
		if got, err := parseEntity(path); err == nil {
			t.Errorf("%q is read as %v", path, got)
		}
	}
}

func TestEntityNeedsNames(t *testing.T) {
	for _, e := range []Entity{{}, {User: Named("")}, {ClientID: Named("")}, {Named("alice"), Named("")}} {
		if err := e.check(); !errors.Is(err, ErrConfig) {
			t.Errorf("%v: %v, want ErrConfig", e, err)
		}
	}
}

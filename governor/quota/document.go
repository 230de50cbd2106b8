package quota

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// document is the content of one file:
//
//	{"version":2,"config":{"producer_byte_rate":"1024","request_time_percent":"1.0"}}
//
// It holds all that is set for its entity: a key that is not in it is not set.
// Values are JSON strings. Version 1 has no request_time_percent.
type document struct {
	limits Limits
	entity string // path of the entity, only where the file name is a hash of it
}

type pair struct {
	key   string
	value json.RawMessage
}

// parseDocument is strict: whatever it does not understand may be a quota that
// somebody relies on. Nothing of a bad document is used.
func parseDocument(path string, data []byte) (document, error) {
	fail := func(key, value, reason string) (document, error) {
		return document{}, &ConfigError{Path: path, Key: key, Value: value, Reason: reason}
	}
	if !json.Valid(data) {
		return fail("", "", "is not a JSON document")
	}
	fields, err := parseObject(data)
	if err != nil {
		return fail("", "", err.Error())
	}
	var d document
	var version string
	config := json.RawMessage(nil)
	for _, f := range fields {
		switch f.key {
		case "version":
			version = string(f.value)
		case "config":
			config = f.value
		case "entity":
			if json.Unmarshal(f.value, &d.entity) != nil {
				return fail("entity", string(f.value), "must be a JSON string")
			}
		default:
			return fail(f.key, string(f.value), "unknown field: there are version, config and entity")
		}
	}
	if version != "1" && version != "2" {
		return fail("version", version, "must be 1 or 2")
	}
	if config == nil {
		return fail("config", "", "is missing")
	}
	d.limits, err = parseLimits(path, version, config)
	return d, err
}

func parseLimits(path, version string, config []byte) (l Limits, err error) {
	pairs, err := parseObject(config)
	if err != nil {
		return l, &ConfigError{Path: path, Key: "config", Reason: err.Error()}
	}
	for _, p := range pairs {
		fail := func(reason string) (Limits, error) {
			return Limits{}, &ConfigError{Path: path, Key: p.key, Value: strings.Trim(string(p.value), `"`), Reason: reason}
		}
		k, ok := Key(p.key).kind()
		switch {
		case !ok:
			return fail(unknownKey)
		case k == requestTime && version == "1":
			return fail("is not in version 1 of the document: write version 2")
		case p.value[0] != '"':
			return fail("the value must be a JSON string")
		}
		var text string
		if err := json.Unmarshal(p.value, &text); err != nil {
			return fail(err.Error())
		}
		if reason := l.set(k, text); reason != "" {
			return fail(reason)
		}
	}
	return l, nil
}

// parseObject returns the members of a valid JSON object. Unlike Unmarshal into
// a map it sees a key that stands twice.
func parseObject(data []byte) (pairs []pair, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("must be a JSON object")
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		p := pair{key: t.(string)} // in a valid object every other token is a key
		if seen[p.key] {
			return nil, fmt.Errorf("the key %q stands twice", p.key)
		}
		seen[p.key] = true
		if err := d.Decode(&p.value); err != nil {
			return nil, err
		}
		pairs = append(pairs, p)
	}
	return pairs, nil
}

// format writes version 2, with the keys in a fixed order.
func (d document) format() []byte {
	type config struct {
		ProducerByteRate   string `json:"producer_byte_rate,omitempty"`
		ConsumerByteRate   string `json:"consumer_byte_rate,omitempty"`
		RequestTimePercent string `json:"request_time_percent,omitempty"`
	}
	out, err := json.Marshal(struct {
		Version int    `json:"version"`
		Entity  string `json:"entity,omitempty"`
		Config  config `json:"config"`
	}{2, d.entity, config{
		d.limits.Text(ProducerByteRate), d.limits.Text(ConsumerByteRate), d.limits.Text(RequestTimePercent),
	}})
	if err != nil {
		panic(err) // strings and an int: cannot happen
	}
	return append(out, '\n')
}

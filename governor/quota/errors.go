package quota

import (
	"errors"
	"fmt"
)

var (
	// ErrOptions is wrapped by every error of New that is about its options.
	// The message names the field.
	ErrOptions = errors.New("quota: invalid options")
	// ErrConfig is wrapped by every ConfigError.
	ErrConfig = errors.New("quota: invalid configuration")
	// ErrClosed is returned by Wait, and by every change of the configuration,
	// after Close.
	ErrClosed = errors.New("quota: closed")
)

// ConfigError says what is wrong with a configuration: a document, a change or
// the name of an entity. Nothing of the change or document has been applied.
type ConfigError struct {
	Path   string // file, or entity as in Entity.String
	Key    string // empty if no single key is at fault
	Value  string // as written; empty if no single value is at fault
	Reason string
}

// Error names path, key and value.
func (e *ConfigError) Error() string {
	switch {
	case e.Key == "":
		return fmt.Sprintf("quota: %s: %s", e.Path, e.Reason)
	case e.Value == "":
		return fmt.Sprintf("quota: %s: %s: %s", e.Path, e.Key, e.Reason)
	}
	return fmt.Sprintf("quota: %s: %s=%q: %s", e.Path, e.Key, e.Value, e.Reason)
}

// Is makes errors.Is(err, ErrConfig) true.
func (e *ConfigError) Is(target error) bool { return target == ErrConfig }

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrOptions, fmt.Sprintf(format, args...))
}

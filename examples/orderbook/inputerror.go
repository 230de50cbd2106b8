package main

import "fmt"

// inputError says what is wrong with the file, and where.
type inputError struct {
	path   string
	line   int // from 1
	column int // from 0
	err    error
}

func (e *inputError) Error() string {
	name := ""
	if e.column < len(columns) {
		name = " (" + columns[e.column] + ")"
	}
	return fmt.Sprintf("%s: line %d, column %d%s: %v", e.path, e.line, e.column+1, name, e.err)
}

func (e *inputError) Unwrap() error { return e.err }

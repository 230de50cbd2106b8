package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
)

// row is a row of a file. It has all columns.
type row struct {
	path   string
	line   int // from 1
	fields []string
}

// fail returns an error about one column.
func (r row) fail(column int, err error) error {
	return &inputError{r.path, r.line, column, err}
}

// rows reads the rows of a file below its header. An error is the last pair.
func rows(path string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		file, err := os.Open(path)
		if err != nil {
			yield(row{}, err) // it names the file
			return
		}
		defer file.Close()
		table, err := openTable(path, file)
		for err == nil {
			var r row
			if r, err = table.next(); err == nil && !yield(r, nil) {
				return
			}
		}
		if err != io.EOF {
			yield(row{}, err)
		}
	}
}

// table reads rows one by one.
type table struct {
	path string
	csv  *csv.Reader
}

// openTable returns a table that has read its header.
func openTable(path string, in io.Reader) (table, error) {
	plain, err := decompressed(in)
	if err != nil {
		return table{}, &inputError{path, 1, 0, err}
	}
	t := table{path, csv.NewReader(plain)}
	t.csv.FieldsPerRecord = -1 // next counts them, and says which is missing
	t.csv.ReuseRecord = true
	header, err := t.next()
	if err == io.EOF {
		return t, &inputError{path, 1, 0, errors.New("the file is empty")}
	}
	if err != nil {
		return t, err
	}
	return t, checkHeader(header)
}

// next returns the next row, or io.EOF.
func (t table) next() (row, error) {
	fields, err := t.csv.Read()
	if err == io.EOF {
		return row{}, err
	}
	var broken *csv.ParseError
	if errors.As(err, &broken) { // fields holds those before the broken one
		return row{}, &inputError{t.path, broken.StartLine, len(fields), broken.Err}
	}
	line, _ := t.csv.FieldPos(0)
	r := row{t.path, line, fields}
	switch n := len(fields); {
	case err != nil: // the file could not be read beyond the last field
		return r, r.fail(n-1, err)
	case n < len(columns):
		return r, r.fail(n, fmt.Errorf("missing: the row has %d columns, not %d", n, len(columns)))
	case n > len(columns):
		return r, r.fail(len(columns), fmt.Errorf("one too many: the row has %d columns, not %d", n, len(columns)))
	}
	return r, nil
}

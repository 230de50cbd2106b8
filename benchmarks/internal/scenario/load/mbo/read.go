package mbo

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

var columns = []string{"ts_recv_ns", "ts_event_ns", "action", "side", "price", "size", "order_id", "sequence"}

var errBackwards = errors.New("ts_recv_ns is earlier than in the line before")

// Read returns the events of a file. An error names the file and the line.
func Read(path string) ([]Event, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err // it names the file
	}
	defer file.Close()
	events, line, err := read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: line %d: %w", path, line, err)
	}
	return events, nil
}

// read returns the events, or an error with the line it is about.
func read(in io.Reader) (events []Event, line int, err error) {
	plain, err := decompressed(in)
	if err != nil {
		return nil, 1, err
	}
	table := csv.NewReader(plain)
	table.ReuseRecord = true
	table.FieldsPerRecord = len(columns)
	header, err := table.Read()
	if err == nil && !slices.Equal(header, columns) {
		err = fmt.Errorf("the header is %q, want %q", header, columns)
	}
	line = 1
	for err == nil {
		var fields []string
		if fields, err = table.Read(); err != nil {
			break
		}
		line, _ = table.FieldPos(0)
		var e Event
		e, err = parse(fields)
		if err == nil && len(events) > 0 && e.Received < events[len(events)-1].Received {
			err = errBackwards
		}
		events = append(events, e)
	}
	switch {
	case errors.Is(err, io.EOF) && len(events) == 0:
		return nil, line, errors.New("the file has no events")
	case errors.Is(err, io.EOF):
		return events, line, nil
	}
	if broken := new(csv.ParseError); errors.As(err, &broken) {
		return nil, broken.StartLine, broken.Err
	}
	return nil, line, err
}

// decompressed returns what in holds, whether it is compressed with gzip or
// not. The content decides, not the name of the file.
func decompressed(in io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(in)
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return gzip.NewReader(buffered)
	}
	return buffered, nil
}

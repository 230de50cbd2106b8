package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
)

// decompressed returns a reader of what in holds, whether it is compressed with
// gzip or not. The content decides, not the name of the file.
func decompressed(in io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(in)
	magic, err := buffered.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return gzip.NewReader(buffered)
	}
	return buffered, nil
}

package ledger

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// scan calls visit with the lines of the log's part that begins at an offset,
// and returns where the last one that counts ends: what was cut short after it
// does not.
//
// A last line that lacks its end and is an event all the same counts: the next
// append will close it off, and what it says must not change by that.
func scan(part *io.SectionReader, from int64, visit func(Line)) (end int64, err error) {
	r := bufio.NewReaderSize(part, int(min(64<<10, part.Size()+1)))
	var long []byte // the beginning of a line that is longer than the buffer
	for at := from; ; {
		part, err := r.ReadSlice('\n')
		size := int64(len(part))
		raw := part
		if errors.Is(err, bufio.ErrBufferFull) {
			long = append(long[:0], part...)
			for errors.Is(err, bufio.ErrBufferFull) {
				part, err = r.ReadSlice('\n')
				size += int64(len(part))
				if len(long) <= MaxLine+1 {
					long = append(long, part...)
				}
			}
			raw = long
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		whole := err == nil
		if at == 0 {
			raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
		}
		line := Line{Offset: at, Text: bytes.TrimSpace(raw)}
		if !whole {
			if _, _, ok := line.read(); !ok {
				if size > 0 {
					visit(Line{Offset: at, Torn: size})
				}
				return at, nil
			}
		}
		visit(line)
		at += size
		if !whole {
			return at, nil
		}
	}
}

package ledger

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"github.com/tidwall/gjson"
)

// through fails unless the log goes through that version.
func through(log io.ReaderAt, v Version) error {
	got, err := versionAt(log, v.Offset)
	switch {
	case errors.Is(err, io.EOF):
		return ErrMoved // it is shorter
	case err != nil:
		return err
	case got != v:
		return ErrMoved
	case v.Offset == 0:
		return nil
	}
	// A line without an end counted as an event; glued onto, it is none.
	var seam [2]byte
	if n, _ := log.ReadAt(seam[:], v.Offset-1); n == 2 && seam[0] != '\n' && seam[1] != '\n' && seam[1] != '\r' {
		return ErrMoved
	}
	return nil
}

// versionAt is the version of the log at an offset. Its cost does not depend
// on the log's length.
func versionAt(log io.ReaderAt, offset int64) (Version, error) {
	if offset == 0 {
		return Version{}, nil
	}
	buf := make([]byte, tailSize)
	head := buf[:min(offset, tailSize)]
	if err := readFull(log, head, 0); err != nil {
		return Version{}, err
	}
	v := Version{Offset: offset, First: firstID(head)}
	tail := head
	if offset > tailSize {
		tail = buf
		if err := readFull(log, tail, offset-tailSize); err != nil {
			return Version{}, err
		}
	}
	sum := sha256.Sum256(tail)
	v.Tail = hex.EncodeToString(sum[:])
	return v, nil
}

// firstID is the id in the log's first line, or in what fits of it.
func firstID(head []byte) string {
	for i, c := range head {
		if c == '\n' {
			head = head[:i]
			break
		}
	}
	return gjson.GetBytes(head, "id").Str
}

func readFull(r io.ReaderAt, buf []byte, at int64) error {
	n, err := r.ReadAt(buf, at)
	if n == len(buf) {
		return nil
	}
	if err == nil {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// endsAt fails unless the log ends at an offset, but for a line cut short
// there. closed reports whether its last line has its end.
func endsAt(log io.ReaderAt, offset, size int64) (closed bool, err error) {
	var last [1]byte
	if size > 0 {
		if err := readFull(log, last[:], size-1); err != nil {
			return false, err
		}
	}
	closed = size == 0 || last[0] == '\n'
	if size == offset {
		return closed, nil
	}
	cut := bufio.NewReader(io.NewSectionReader(log, offset, size-offset))
	for {
		switch _, err := cut.ReadSlice('\n'); {
		case err == nil:
			return false, ErrMoved // a whole line
		case errors.Is(err, io.EOF):
			return closed, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return false, err
		}
	}
}

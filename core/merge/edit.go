package merge

import (
	"encoding/json"
	"slices"
	"strings"
)

// entry is an item to insert; key is used in an object.
type entry struct {
	key   string
	value json.RawMessage
}

// splice replaces [from, to) of the document by text and rescans.
func (f *file) splice(from, to int, text string) {
	f.replace(slices.Concat(f.src[:from], []byte(text), f.src[to:]))
}

// replace takes the bytes after an edit. They are scanned leniently here; close
// validates them strictly. The style stays the one the user's file had.
func (f *file) replace(src []byte) {
	d, _, err := scan(src)
	if err != nil {
		f.err = err // a value of ours nests past the bound
		return
	}
	d.root, d.style = d.skip(0), f.style
	f.doc = d
}

// insertAfter is where text that follows an item goes: after the item, its
// trailing comma and the comments on the same line, which belong to it.
func (d *doc) insertAfter(it item) int {
	p := it.end
	if it.comma >= 0 {
		p = it.comma + 1
	}
	for i := p; i < len(d.clean); i++ {
		switch c := d.clean[i]; {
		case isComment(c):
			p = i + 1
		case c != ' ' && c != '\t':
			return p
		}
	}
	return p
}

// afterComments is the end of the last comment in [from, to), or from.
func (d *doc) afterComments(from, to int) int {
	for i := to; i > from; i-- {
		if isComment(d.clean[i-1]) {
			return i
		}
	}
	return from
}

// spaceBefore is where the whitespace in front of i begins.
func (d *doc) spaceBefore(i int) int {
	for i > 0 && isSpace(d.clean[i-1]) {
		i--
	}
	return i
}

// insert adds entries behind the last item of the container at offset at. The
// text is the exact inverse of what removeItem takes out again.
func (f *file) insert(at int, add ...entry) {
	c := f.container(at)
	l := f.layoutOf(c)
	n := len(c.items)
	var b strings.Builder
	p := f.afterComments(c.open+1, c.close)
	if n > 0 {
		p = f.insertAfter(c.items[n-1])
	}
	space := string(f.src[p:c.close])
	for i, e := range add {
		sep := l.sep
		switch {
		case i > 0:
			b.WriteByte(',')
		case n == 0 && !l.lines:
			sep = space
		}
		b.WriteString(sep)
		if f.clean[c.open] == '{' {
			b.Write(quote(e.key))
			b.WriteString(l.colon)
		}
		l.render(&b, e.value)
	}
	switch {
	case n == 0:
		if l.lines && !strings.ContainsAny(space, "\r\n") {
			space = l.newline + f.indentAt(c.open)
		}
		f.splice(p, c.close, b.String()+space)
	case c.items[n-1].comma >= 0:
		b.WriteByte(',')
		f.splice(p, p, b.String())
	default:
		end := c.items[n-1].end
		f.splice(end, p, ","+string(f.src[end:p])+b.String())
	}
}

// removeItem takes item k out of the container at offset at, with the comma and
// the whitespace that came with it. Comments stay.
func (f *file) removeItem(at, k int) {
	c := f.container(at)
	it, last := c.items[k], k == len(c.items)-1
	from, to := f.spaceBefore(it.start), it.end
	forward := k == 0 && !last && !hasNewline(f.clean[from:it.start])
	if forward {
		from = it.start // the first on a line: the whitespace after it goes
	}
	drop := it.comma
	if last && it.comma < 0 && k > 0 {
		drop = c.items[k-1].comma
	}
	if drop >= to && f.spaceBefore(drop) == to {
		to, drop = drop+1, -1
	}
	if forward {
		for isSpace(f.clean[to]) {
			to++
		}
	}
	// A comment that runs to the end of its line must not swallow what follows.
	if from > 0 && f.clean[from-1] == lineComment && !isNewline(f.clean[to]) {
		from = it.start
	}
	src := slices.Concat(f.src[:from], f.src[to:])
	if drop >= to { // behind a comment
		drop -= to - from
	}
	if drop >= 0 {
		src = slices.Delete(src, drop, drop+1)
	}
	f.replace(src)
}

// set replaces the value of an item in place.
func (f *file) set(at int, it item, value json.RawMessage) {
	var b strings.Builder
	l := f.layoutOf(f.container(at))
	l.lines = hasNewline(f.clean[f.spaceBefore(it.start):it.start])
	l.indent = f.indentAt(it.start)
	l.render(&b, value)
	f.splice(it.val, it.end, b.String())
}

// insertAt puts value behind path p, of which the first depth keys exist and end
// in the object at offset at. Missing levels are created.
func (f *file) insertAt(p Path, at, depth int, value json.RawMessage) {
	f.rec.takeSpace(p.pointer()) // of a container that is gone; the new ones are ours
	for i := len(p) - 1; i > depth; i-- {
		f.rec.takeSpace(p[:i].pointer())
		value = slices.Concat([]byte("{"), quote(p[i]), []byte(":"), value, []byte("}"))
	}
	f.noteEmpty(p[:depth], at)
	f.insert(at, entry{key: p[depth], value: value})
}

// noteEmpty records the whitespace of a container that is about to get its first
// item, so that taking the item out again leaves the container as it was found.
func (f *file) noteEmpty(p Path, at int) {
	c := f.container(at)
	if len(c.items) > 0 {
		return
	}
	f.rec.setSpace(p.pointer(), string(f.src[f.afterComments(c.open+1, c.close):c.close]))
}

// prune follows a container that we may have emptied: one that was found empty
// gets its whitespace back, any other goes, and then its parent is looked at. One
// that holds a comment stays.
func (f *file) prune(p Path) {
	at, depth, err := f.walk(p)
	if err != nil || depth < len(p) {
		return
	}
	c := f.container(at)
	if len(c.items) > 0 {
		return
	}
	inner := f.afterComments(c.open+1, c.close)
	if space, found := f.rec.takeSpace(p.pointer()); found {
		if f.clean[inner-1] != lineComment || strings.IndexAny(space, "\r\n") == 0 {
			f.splice(inner, c.close, space)
		}
		return
	}
	if len(p) == 0 || inner > c.open+1 {
		return
	}
	parent, _, _ := f.walk(p[:len(p)-1])
	for k, it := range f.container(parent).items {
		if it.val == at {
			f.removeItem(parent, k)
			break
		}
	}
	f.prune(p[:len(p)-1])
}

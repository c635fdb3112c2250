package main

import "unicode/utf8"

// table is text in columns. Cells are measured in runes, before any colour.
type table struct{ rows [][]string }

func newTable(header ...string) *table { return &table{rows: [][]string{header}} }

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// minLast is how narrow fit makes the last column, in runes.
const minLast = 20

// fit cuts the last column to a width of the whole; 0 is any.
func (t *table) fit(width int) {
	if width == 0 {
		return
	}
	last := len(t.rows[0]) - 1
	for i := range last {
		widest := 0
		for _, row := range t.rows {
			widest = max(widest, utf8.RuneCountInString(row[i]))
		}
		width -= widest + 2
	}
	width = max(width, minLast)
	for _, row := range t.rows {
		if r := []rune(row[last]); len(r) > width {
			row[last] = string(r[:width-1]) + "…"
		}
	}
}

// write draws the table in few writes: it may have ten thousand rows.
func (t *table) write(a *app) {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var buf []byte
	for n, row := range t.rows {
		begun := len(buf)
		for i, cell := range row {
			buf = append(buf, cell...)
			if i < len(row)-1 {
				for range widths[i] - utf8.RuneCountInString(cell) + 2 {
					buf = append(buf, ' ')
				}
			}
		}
		if n == 0 {
			buf = append(buf[:begun], a.bold(string(buf[begun:]))...)
		}
		if buf = append(buf, '\n'); len(buf) >= enough {
			_, _ = a.out.Write(buf) // which remembers an error
			buf = buf[:0]
		}
	}
	_, _ = a.out.Write(buf)
}

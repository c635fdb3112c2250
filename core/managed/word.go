package managed

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// text is a shell word with its quoting taken off. An expansion stands in it as
// its own source, so a path keeps its readable last element (`$HOME/bin/x`) and
// the script of `sh -c "…"` reads as the inner shell would read it.
func text(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	if p, ok := windowsPath(w); ok {
		return p
	}
	var b strings.Builder
	writeParts(&b, w.Parts, false)
	return b.String()
}

// windowsPath keeps the backslashes of an unquoted `C:\tools\x.exe`: the host that
// wrote it runs it through a shell for which they are separators.
func windowsPath(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	if !ok || len(lit.Value) < 3 || lit.Value[1:3] != `:\` {
		return "", false
	}
	return lit.Value, true
}

func writeParts(b *strings.Builder, parts []syntax.WordPart, quoted bool) {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value, quoted))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			writeParts(b, p.Parts, true)
		default:
			// Printing to a builder fails on no node a parser returns.
			_ = syntax.NewPrinter(syntax.SingleLine(true)).Print(b, p)
		}
	}
}

// unescape takes off the backslashes a shell would: all of them outside quotes,
// inside double quotes only those before $ ` " \ and a newline.
func unescape(s string, quoted bool) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("$`\"\\\n", s[i+1]) >= 0) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

package command

import "strings"

// sqlClients are the programs that run SQL given on the line or on their standard input.
const sqlClients names = ("psql mysql mariadb sqlite3 sqlite sqlcmd duckdb clickhouse-client clickhouse cockroach usql pgcli mycli " +
	"litecli sqlplus isql cqlsh trino presto bq snowsql wrangler turso supabase invoke-sqlcmd")

// sqlClient looks at the SQL that a client is given.
func (a *analysis) sqlClient(sc *scope, words []Word) {
	in := a.settle(sc.stdin)
	found := drops(join(words[1:])) || in.kind == fromText && drops(in.text)
	sub := sc.under(programName(words[0].Text))
	a.clientShell(sub, in.text)
	for _, w := range words[1:] {
		a.runComposed(sc, w, func(in input) { // psql -f file
			text := a.settle(in).text
			found = found || drops(text)
			a.clientShell(sub, text)
		})
		sql := w.Text
		if len(sql) > 2 && sql[0] == '-' && strings.IndexByte("ecqQ", sql[1]) >= 0 {
			sql = sql[2:]
		}
		if w.feed != nil {
			sql = a.settle(*w.feed).text
		}
		found = found || drops(sql)
		a.clientShell(sub, sql)
	}
	if found {
		a.destructive(SchemaDrop, join(words))
	}
}

// clientShell follows the commands of SQL clients that run a shell line.
func (a *analysis) clientShell(sc *scope, text string) {
	for line := range strings.Lines(text) {
		for _, mark := range []string{`\!`, ".shell ", ".system ", "system "} {
			if shell, ok := strings.CutPrefix(strings.TrimSpace(line), mark); ok {
				a.guessText(sc, strings.Trim(shell, ` '"`))
			}
		}
	}
}

// drops says that SQL drops or empties tables. Comments and string literals are data.
func drops(sql string) bool {
	words := sqlWords(sql)
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch w {
		case "drop":
			if next == "table" || next == "database" || next == "schema" {
				return true
			}
		case "truncate":
			if next == "table" || next != "" && next != "(" && (i == 0 || words[i-1] == ";") {
				return true
			}
		}
	}
	return false
}

// sqlWords splits SQL into lower-case words and signs, without comments and literals.
func sqlWords(sql string) []string {
	var words []string
	for i := 0; i < len(sql); {
		c := sql[i]
		switch {
		case strings.HasPrefix(sql[i:], "--") && (i+2 == len(sql) || sql[i+2] == ' '):
			end := strings.IndexByte(sql[i:], '\n')
			if end < 0 {
				return words
			}
			i += end
		case strings.HasPrefix(sql[i:], "/*"):
			end := strings.Index(sql[i:], "*/")
			if end < 0 {
				return words
			}
			i += end + 2
		case c == '\'':
			end := strings.IndexByte(sql[i+1:], '\'')
			if end < 0 {
				return words
			}
			i += end + 2
		case letter(c):
			end := i
			for end < len(sql) && (letter(sql[end]) || sql[end] >= '0' && sql[end] <= '9') {
				end++
			}
			words = append(words, strings.ToLower(sql[i:end]))
			i = end
		case c == ';' || c == '(':
			words = append(words, sql[i:i+1])
			i++
		default:
			i++
		}
	}
	return words
}

func letter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

package command

import "strings"

// doors are the commands of frameworks that evaluate a text in the framework's language, or hand one to its database.
var doors = []struct {
	programs, verbs names
	*language       // nil for SQL
}{
	{"manage.py django-admin", "shell shell_plus", python},
	{"rails", "runner r", ruby},
	{"artisan", "tinker", php},
	{"mix iex", "run eval", elixir},
	{"wp", "eval", php},
	{"drush", "php-eval php:eval php:cli ev", php},
	{"mongosh mongo", "", javascript},
	{"manage.py django-admin", "dbshell", nil},
	{"rails", "dbconsole db", nil},
	{"artisan", "db", nil},
	{"console", "dbal:run-sql doctrine:query:sql", nil},
	{"wp", "db", nil},
	{"drush", "sql-query sql:query sqlq sql-cli sql:cli sqlc", nil},
	{"heroku", "pg:psql", nil},
	{"prisma", "db", nil},
	{"typeorm", "query", nil},
}

// dropVerbs are the commands of frameworks that say that they drop or empty a database.
const (
	dropPrograms names = "rails rake artisan mix console drush sequelize sequelize-cli typeorm"
	dropVerbs    names = "db:drop db:drop:all db:drop:_unsafe db:wipe db:truncate_all ecto.drop schema:drop doctrine:database:drop " +
		"doctrine:schema:drop sql-drop sql:drop"
)

// framework follows what a framework's command is given on the line or on its standard input.
func (a *analysis) framework(sc *scope, name string, args []Word) {
	if dropPrograms.has(name) && !asksHelp(args) && !hasFlag(args, "--dry-run", "--pretend") {
		for _, w := range args {
			if dropVerbs.has(w.Text) {
				a.destructive(SchemaDrop, name+" "+join(args))
			}
		}
	}
	for _, d := range doors {
		if !d.programs.has(name) {
			continue
		}
		rest := args
		for d.verbs != "" && len(rest) > 0 && !d.verbs.has(rest[0].Text) {
			rest = rest[1:]
		}
		if d.verbs != "" && len(rest) == 0 {
			continue
		}
		texts := make([]string, 0, len(rest)+1)
		for _, w := range rest {
			text := w.Text
			if _, val, ok := strings.Cut(text, "="); ok && strings.HasPrefix(text, "--") {
				text = val
			}
			if strings.ContainsAny(text, " (;") {
				texts = append(texts, text)
			}
		}
		if in := a.settle(sc.stdin); in.kind == fromText {
			texts = append(texts, in.text)
		}
		for _, text := range texts {
			switch {
			case d.language == nil && drops(text), d.verbs == "" && dropsCollection(text):
				a.destructive(SchemaDrop, name+" "+text)
			case d.language != nil:
				a.code(sc.under(name), d.language, text)
			}
		}
	}
}

// dropsCollection says that a script for MongoDB drops a database or a collection.
func dropsCollection(src string) bool {
	toks := javascript.tokens(src)
	for i, t := range toks {
		if t.kind != tokName || i == 0 || toks[i-1].text != "." || i+1 >= len(toks) || toks[i+1].text != "(" {
			continue
		}
		if name := strings.ToLower(t.text); name == "drop" || name == "dropdatabase" {
			return true
		}
	}
	return false
}

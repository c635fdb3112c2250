package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/grimoire-kit/grimoire/core/schema"
)

// schemaEntry is a line of the JSON of `grimoire schema`.
type schemaEntry struct {
	Name  string `json:"name"`
	Files string `json:"files"`
	About string `json:"about"`
	URL   string `json:"url"`
}

func newSchema(a *app) *cobra.Command {
	var names []string
	for _, s := range schema.All() {
		names = append(names, s.Name)
	}
	return &cobra.Command{
		Use:   a.text("schema [nom]", "schema [name]"),
		Short: a.text("Schémas JSON des fichiers que l'on écrit", "JSON Schemas of the files that people write"),
		Long: a.text(`Sans nom, la liste. Avec un nom, le schéma (JSON Schema 2020-12), le même sur la
sortie avec et sans -o json. Un éditeur qui connaît yaml-language-server s'en sert
dès que le fichier commence par : # yaml-language-server: $schema=<url>`,
			`Without a name, the list. With one, the schema (JSON Schema 2020-12), the same with
and without -o json. An editor with yaml-language-server uses it as soon as the file
begins with: # yaml-language-server: $schema=<url>`),
		Example: `  grimoire schema
  grimoire schema policies > policies.schema.json`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listSchemas()
			}
			s, ok := schema.Find(args[0])
			if !ok {
				return usageError{fmt.Errorf(a.text("aucun schéma ne s'appelle %q ; `grimoire schema` les liste", "no schema is called %q; `grimoire schema` lists them"), args[0])}
			}
			_, err := a.out.Write(s.JSON())
			return err
		},
	}
}

func (a *app) listSchemas() error {
	list := []schemaEntry{}
	for _, s := range schema.All() {
		list = append(list, schemaEntry{s.Name, s.Files, s.About.In(a.lang), schema.URL(s.Name)})
	}
	if a.json() {
		return a.printJSON(list)
	}
	for _, s := range list {
		a.printf("%-26s %s\n  %s\n", a.bold(s.Name), s.About, a.dim(s.Files))
	}
	return nil
}

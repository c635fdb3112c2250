package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/grimoire-kit/grimoire/surface"
)

// localizeHelp gives cobra's own words in the person's language and turns its
// complaints about arguments into usage errors.
func localizeHelp(a *app, root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	if a.lang == surface.French {
		cobra.AddTemplateFunc("enFrancais", frenchFlags)
		root.SetUsageTemplate(frenchUsage(root.UsageTemplate()))
	}
	root.InitDefaultVersionFlag()
	if f := root.Flags().Lookup("version"); f != nil {
		f.Usage = a.text("version de grimoire", "version of grimoire")
	}
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			describeCompletion(a, c)
		case "help":
			describeHelp(a, c)
		}
	}
	walk(root, func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		if c.Example == "" {
			c.Example = examplesBelow(c)
		}
		if a.lang == surface.French && !c.DisableFlagsInUseLine {
			c.DisableFlagsInUseLine = true
			c.Use += " [options]"
		}
		if f := c.Flags().Lookup("help"); f != nil {
			f.Usage = a.text("aide de cette commande", "help for this command")
		}
		if c.Args != nil {
			check := c.Args
			c.Args = func(cmd *cobra.Command, args []string) error {
				if err := check(cmd, args); err != nil {
					return usageError{argumentError(a, cmd, args)}
				}
				return nil
			}
		}
	})
}

// examplesBelow are a group's examples: the first of each of its commands.
func examplesBelow(c *cobra.Command) string {
	var lines []string
	for _, sub := range c.Commands() {
		if sub.Hidden {
			continue
		}
		example := sub.Example
		if example == "" {
			example = examplesBelow(sub)
		}
		first, _, _ := strings.Cut(example, "\n")
		lines = append(lines, first)
	}
	return strings.Join(lines, "\n")
}

// argumentError says what was typed where something else was expected.
func argumentError(a *app, cmd *cobra.Command, args []string) error {
	if cmd.HasSubCommands() && len(args) > 0 {
		text := fmt.Sprintf(a.text("commande inconnue : %s %s", "unknown command: %s %s"), cmd.CommandPath(), args[0])
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			text += "\n" + fmt.Sprintf(a.text("Voulais-tu dire « %s » ?", "Did you mean %q?"), strings.Join(near, ", "))
		}
		return errors.New(text + "\n" + fmt.Sprintf(a.text("Voir « %s --help ».", "See `%s --help`."), cmd.CommandPath()))
	}
	var wanted []string
	for _, word := range strings.Fields(cmd.Use) {
		if strings.HasPrefix(word, "<") {
			wanted = append(wanted, word)
		}
	}
	if len(args) < len(wanted) {
		return fmt.Errorf("%s\n%s", a.text("il manque ", "missing: ")+strings.Join(wanted[len(args):], " "), fmt.Sprintf(a.text("Usage : %s", "Usage: %s"), cmd.UseLine()))
	}
	return fmt.Errorf("%s\n%s",
		fmt.Sprintf(a.text("%d argument(s) : ce n'est pas ce que la commande attend", "%d argument(s): not what the command takes"), len(args)),
		fmt.Sprintf(a.text("Usage : %s", "Usage: %s"), cmd.UseLine()))
}

// flagError says in the person's language what is wrong with a flag.
func flagError(a *app, err error) string {
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case a.lang != surface.French:
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return "option inconnue : " + unknown.GetSpecifiedName() + " dans -" + unknown.GetSpecifiedShortnames()
	case errors.As(err, &unknown):
		return "option inconnue : --" + unknown.GetSpecifiedName()
	case errors.As(err, &bare):
		return "option sans sa valeur : --" + bare.GetFlag().Name
	case errors.As(err, &invalid):
		return fmt.Sprintf("valeur non admise pour --%s : %q", invalid.GetFlag().Name, invalid.GetValue())
	}
	return err.Error()
}

// missingFlags makes a usage error of cobra's error about required options,
// which has no type.
func missingFlags(a *app, err error) error {
	if err == nil {
		return nil
	}
	names, ok := strings.CutPrefix(err.Error(), "required flag(s) ")
	if !ok {
		return err
	}
	names = "--" + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSuffix(names, " not set"), `"`, ""), ", ", ", --")
	return usageError{errors.New(a.text("option requise : ", "required option: ") + names)}
}

func walk(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		walk(sub, visit)
	}
}

func frenchUsage(template string) string {
	return strings.NewReplacer(
		"Usage:", "Usage :",
		"Aliases:", "Alias :",
		"Examples:", "Exemples :",
		"Available Commands:", "Commandes :",
		"Additional Commands:", "Autres commandes :",
		"Global Flags:", "Options communes :",
		"Flags:", "Options :",
		"Additional help topics:", "Autres sujets :",
		`Use "{{.CommandPath}} [command] --help" for more information about a command.`, `« {{.CommandPath}} [commande] --help » en dit plus sur une commande.`,
		"{{.CommandPath}} [command]", "{{.CommandPath}} [commande]",
		"FlagUsages |", "FlagUsages | enFrancais |",
	).Replace(template)
}

// flagType is the type that pflag writes behind a flag's name.
var flagType = regexp.MustCompile(`(?m)^( *(?:-\w, )? *--[\w-]+) (strings|string|int|duration)\b`)

// frenchFlags puts pflag's own words into French; columns stay where they are.
func frenchFlags(usages string) string {
	words := map[string]string{"string": "texte ", "strings": "liste  ", "int": "n  ", "duration": "durée   "}
	usages = flagType.ReplaceAllStringFunc(usages, func(s string) string {
		m := flagType.FindStringSubmatch(s)
		return m[1] + " " + words[m[2]]
	})
	return strings.ReplaceAll(usages, "(default ", "(défaut ")
}

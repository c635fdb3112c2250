package command

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"
)

// pwsh follows powershell and pwsh given a script on the line.
func (a *analysis) pwsh(sc *scope, words []Word) {
	sub := sc.under("powershell")
	for i := 1; i < len(words); i++ {
		t := strings.ToLower(words[i].Text)
		if !strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "/") {
			a.mutates(sc, words)
			if strings.HasSuffix(t, ".ps1") {
				a.script(sc, words[i], words)
				return
			}
			a.powershell(sub, join(words[i:]))
			return
		}
		option := strings.TrimLeft(t, "-/")
		switch {
		case option == "":
			continue
		case option == "c" || prefixOf(option, "command", 3):
			a.mutates(sc, words)
			text := join(words[i+1:])
			if strings.Trim(text, " "+Unknown) == "" && text != "" {
				a.opaque(sc, words[i+1].Source)
				return
			}
			a.powershell(sub, text)
			return
		case option == "e" || option == "ec" || prefixOf(option, "encodedcommand", 2):
			if i+1 < len(words) {
				if text, ok := decodeUTF16(words[i+1].Text); ok {
					a.powershell(sub, text)
				} else {
					a.opaque(sc, join(words))
				}
			}
			return
		case option == "f" || prefixOf(option, "file", 2):
			if i+1 < len(words) {
				a.script(sc, words[i+1], words)
			}
			return
		case option == "help" || option == "?" || option == "version":
			return
		case prefixOf(option, "executionpolicy", 2) || option == "ep" || prefixOf(option, "windowstyle", 1) || prefixOf(option, "workingdirectory", 2) ||
			prefixOf(option, "version", 1) || prefixOf(option, "outputformat", 1) || prefixOf(option, "inputformat", 2) || prefixOf(option, "configurationname", 3):
			i++
		}
	}
	switch in := a.settle(sc.stdin); in.kind {
	case fromText:
		a.powershell(sub, in.text)
	case fromTerminal:
		a.interactive(sc, words)
	default:
		a.opaque(sc, piped(in, words))
	}
}

// decodeUTF16 decodes what -EncodedCommand takes: base64 of UTF-16LE.
func decodeUTF16(s string) (string, bool) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return "", false
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	return string(utf16.Decode(units)), true
}

// powershellScript tries src as PowerShell after it did not parse as a POSIX line; it is false if nothing in src looks
// like PowerShell.
func (a *analysis) powershellScript(sc *scope, src string) bool {
	before := len(a.facts.Destructive)
	a.powershell(sc, src)
	return len(a.facts.Destructive) > before || looksLikePowerShell(src)
}

func looksLikePowerShell(src string) bool {
	lower := strings.ToLower(src)
	for _, sign := range []string{"get-", "set-", "new-", "remove-", "test-path", "write-", "select-", "where-object", "foreach-object", "$env:", "$_.", "]::", "invoke-", "start-", "-erroraction", "| %", "| ?"} {
		if strings.Contains(lower, sign) {
			return true
		}
	}
	return false
}

// powershell follows a PowerShell script: each command in it, whatever the blocks around.
func (a *analysis) powershell(sc *scope, src string) {
	if !a.deeper(sc, src) {
		return
	}
	// 'a' + 'b' is a way to spell 'ab'.
	src = strings.NewReplacer("'+'", "", "' + '", "", `"+"`, "", `" + "`, "").Replace(src)
	commands, code := powershellWords(src)
	lower := strings.ToLower(code)
	if strings.Contains(lower, "]::read") || strings.Contains(lower, "]::open") || strings.Contains(lower, "streamreader") || strings.Contains(lower, "]::copy") {
		for _, words := range commands {
			for _, w := range words {
				if w.Quoted {
					a.target(sc, Target{Word: w, Access: Read, Program: "powershell"})
				}
			}
		}
	}
	for _, call := range []string{"]::delete(", ".delete(", "]::deletefile(", "::deletedirectory(", ".deletefolder(", ".deletefile("} {
		if strings.Contains(lower, call) {
			a.destructive(RecursiveDelete, src)
			break
		}
	}
	sub := *sc
	sub.depth++
	for i, words := range commands {
		sub.bulk = i > 0 && words[0].piped()
		a.powershellCommand(&sub, words)
	}
}

// pipeMark is the source of a word that follows a pipe.
const pipeMark = "|"

func (w Word) piped() bool { return w.Source == pipeMark }

func (a *analysis) powershellCommand(sc *scope, words []Word) {
	if len(words) > 1 && words[0].Text == "&" && strings.HasPrefix(words[1].Text, "$") {
		a.opaque(sc, join(words))
		return
	}
	for len(words) > 0 && (words[0].Text == "&" || words[0].Text == "." || strings.HasPrefix(words[0].Text, "$") && len(words) > 1 && words[1].Text == "=") {
		if words[0].Text == "&" || words[0].Text == "." {
			words = words[1:]
		} else {
			words = words[2:]
		}
	}
	if len(words) == 0 {
		return
	}
	name := strings.ToLower(words[0].Text)
	switch name {
	case "if", "else", "elseif", "foreach", "for", "while", "switch", "try", "catch", "finally", "function", "param", "return", "do", "%", "?", "foreach-object", "where-object", "begin", "process", "end":
		if name == "return" {
			a.powershellCommand(sc, words[1:])
		}
		return
	case "iex", "invoke-expression":
		for _, w := range words[1:] {
			if strings.HasPrefix(w.Text, "-") {
				continue
			}
			if strings.HasPrefix(w.Text, "$") {
				a.opaque(sc, join(words))
				return
			}
			a.powershell(sc.under("iex"), w.Text)
		}
		if len(words) == 1 {
			a.opaque(sc, join(words))
		}
		return
	case "start-process", "saps":
		var rest []Word
		for _, w := range words[1:] {
			if w.Quoted || !strings.HasPrefix(w.Text, "-") {
				rest = append(rest, split(w)...)
			}
		}
		a.run(sc.under("start-process"), rest)
		return
	case "remove-item", "ri", "rm", "del", "erase", "rd", "rmdir":
		label, found := removeItem(words[1:])
		if found || sc.bulk && !hasFlag(words[1:], "-WhatIf", "-whatif") {
			a.destructive(label, join(words))
		}
	}
	switch {
	case strings.HasPrefix(name, "$"):
		if len(words) > 1 {
			a.opaque(sc, words[0].Text)
		}
		return
	case strings.HasPrefix(name, "["), strings.HasPrefix(name, "-"), strings.HasPrefix(name, "@"), words[0].Quoted && len(words) == 1:
		return
	}
	a.run(sc, words)
}

// powershellWords splits a script into commands at every separator and bracket, and returns its text without strings.
func powershellWords(src string) (commands [][]Word, code string) {
	t := splitter{}
	var bare strings.Builder
	piped := false
	end := func() {
		before := len(t.commands)
		t.endCommand()
		if len(t.commands) > before && piped {
			t.commands[before][0].Source = pipeMark
		}
		piped = false
	}
	for i := 0; i < len(src); i++ {
		c := src[i]
		if c != '\'' && c != '"' {
			bare.WriteByte(c)
		}
		switch c {
		case '`':
			if i+1 < len(src) {
				i++
				if src[i] != '\n' && src[i] != '\r' {
					t.add(src[i])
				}
			}
		case '\'', '"':
			t.used, t.quoted = true, true
			for i++; i < len(src); i++ {
				if src[i] == c {
					if i+1 < len(src) && src[i+1] == c {
						i++
					} else {
						break
					}
				}
				if c == '"' && src[i] == '`' && i+1 < len(src) {
					i++
				}
				t.add(src[i])
			}
		case '#':
			if len(t.buf) > 0 {
				t.add(c)
				break
			}
			for i+1 < len(src) && src[i+1] != '\n' {
				i++
			}
		case ';', '\n', '{', '}', '(', ')', '|', '&':
			if c == '&' && len(t.words) == 0 && len(t.buf) == 0 {
				t.add(c) // the call operator
				t.endWord()
				break
			}
			was := piped
			end()
			piped = c == '|' || c == '{' && was
		case ' ', '\t', '\r', ',':
			t.endWord()
		default:
			t.add(c)
		}
	}
	end()
	return t.commands, bare.String()
}

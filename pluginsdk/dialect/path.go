package dialect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// whole is the path of a value itself.
const whole = "."

// checkPath accepts the few forms a path may have: keys joined by dots, `#`
// for each element of an array, or "." for the value itself. It is a part of
// gjson's syntax, without its queries and modifiers: a dialect is data.
func checkPath(path string) error {
	if path == whole {
		return nil
	}
	for key := range strings.SplitSeq(path, ".") {
		if key == "" {
			return fmt.Errorf("%q is not a path: keys are joined by single dots", path)
		}
		if key == "#" {
			continue
		}
		for _, c := range key {
			if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '$') {
				return fmt.Errorf("%q is not a path: a key has letters, digits, `_`, `-` and `$`", path)
			}
		}
	}
	return nil
}

// checkPlace accepts a path that names one value.
func checkPlace(path string) error {
	if err := checkPath(path); err != nil {
		return err
	}
	if path == whole || slices.Contains(strings.Split(path, "."), "#") {
		return fmt.Errorf("%q names no single member of the payload", path)
	}
	return nil
}

// object is a JSON object taken apart once, so that a large value in it is not
// walked over at each look-up.
type object []member

type member struct {
	key   string
	value gjson.Result
}

func takeApart(v gjson.Result) object {
	if !v.IsObject() {
		return nil
	}
	o := make(object, 0, 16)
	v.ForEach(func(key, value gjson.Result) bool {
		o = append(o, member{key.Str, value})
		return true
	})
	return o
}

// pick is takeApart for an object that may have any number of members, since
// a model wrote it: it keeps those that arguments begin with, each once.
func pick(v gjson.Result, args []argument) object {
	if !v.IsObject() {
		return nil
	}
	o := make(object, 0, len(args))
	for _, a := range args {
		first, _, _ := strings.Cut(a.path, ".")
		o = append(o, member{key: first})
	}
	v.ForEach(func(key, value gjson.Result) bool {
		for i := range o {
			if o[i].key == key.Str {
				o[i].value = value
			}
		}
		return true
	})
	return o
}

// get returns the value of key. Of two with the same key the last counts, as
// it does for the hosts that wrote the payload.
func (o object) get(key string) gjson.Result {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].key == key {
			return o[i].value
		}
	}
	return gjson.Result{}
}

// lastOf is get for an object that is looked into once.
func lastOf(v gjson.Result, key string) (last gjson.Result) {
	if !v.IsObject() {
		return last
	}
	v.ForEach(func(k, value gjson.Result) bool {
		if k.Str == key {
			last = value
		}
		return true
	})
	return last
}

// at follows a path that names one value.
func (o object) at(path string) gjson.Result {
	key, rest, more := strings.Cut(path, ".")
	v := o.get(key)
	for more {
		key, rest, more = strings.Cut(rest, ".")
		v = lastOf(v, key)
	}
	return v
}

// first returns the first value that is there and says something.
func (o object) first(paths []string) gjson.Result {
	for _, p := range paths {
		if v := o.at(p); v.Exists() && v.Type != gjson.Null && v.Raw != `""` {
			return v
		}
	}
	return gjson.Result{}
}

func (o object) text(paths []string) string {
	return o.first(paths).String()
}

// each calls f for every value that path names in v, with the index of the
// element that the last `#` stands for; index is that of v. An empty path names
// v itself.
func each(v gjson.Result, path string, index int, f func(index int, v gjson.Result)) {
	if path == "" {
		if v.Exists() && v.Type != gjson.Null {
			f(index, v)
		}
		return
	}
	key, rest, _ := strings.Cut(path, ".")
	if key != "#" {
		each(lastOf(v, key), rest, index, f)
		return
	}
	if !v.IsArray() {
		return
	}
	i := 0
	v.ForEach(func(_, item gjson.Result) bool {
		each(item, rest, i, f)
		i++
		return true
	})
}

func (p predicate) holds(o object) bool {
	v := o.at(p.path)
	there := v.Exists() && v.Type != gjson.Null
	switch p.is {
	case "present":
		return there
	case "absent":
		return !there
	case "object":
		return v.IsObject()
	default:
		return v.Type == gjson.String && (p.equals == "" || v.Str == p.equals)
	}
}

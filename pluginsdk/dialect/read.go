package dialect

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Strict readers of a dialect's JSON. Each error is put in its place on the
// way up, so that a document without faults costs no paths.

var errUnknown = errors.New("unknown key")

// members calls f for each member of an object. Two with one name, and a
// required one that is missing, are errors.
func members(v gjson.Result, required []string, f func(key string, v gjson.Result) error) error {
	if !v.IsObject() {
		return errors.New("not an object")
	}
	var err error
	seen := make([]string, 0, 16)
	v.ForEach(func(k, v gjson.Result) bool {
		key := k.String()
		if slices.Contains(seen, key) {
			err = within(key, errors.New("given twice"))
			return false
		}
		seen = append(seen, key)
		err = within(key, f(key, v))
		return err == nil
	})
	if err != nil {
		return err
	}
	for _, key := range required {
		if !slices.Contains(seen, key) {
			return within(key, errors.New("missing"))
		}
	}
	return nil
}

func items(v gjson.Result, f func(v gjson.Result) error) error {
	if !v.IsArray() {
		return errors.New("not a list")
	}
	var err error
	i := 0
	v.ForEach(func(_, v gjson.Result) bool {
		if e := f(v); e != nil {
			err = within(fmt.Sprint(i), e)
		}
		i++
		return err == nil
	})
	return err
}

func readText(to *string, v gjson.Result) error {
	if v.Type != gjson.String || v.Str == "" {
		return errors.New("not a text")
	}
	*to = v.Str
	return nil
}

func readPlace(to *string, v gjson.Result) error {
	if err := readText(to, v); err != nil {
		return err
	}
	return checkPlace(*to)
}

func readList(to *[]string, v gjson.Result, check func(string) error) error {
	return items(v, func(v gjson.Result) error {
		var s string
		if err := readText(&s, v); err != nil {
			return err
		}
		*to = append(*to, s)
		if check == nil {
			return nil
		}
		return check(s)
	})
}

func readBool(to *bool, v gjson.Result) error {
	if !v.IsBool() {
		return errors.New("neither true nor false")
	}
	*to = v.Bool()
	return nil
}

func readCount(to *int, v gjson.Result) error {
	n := int(v.Num)
	if v.Type != gjson.Number || float64(n) != v.Num || n < 0 {
		return fmt.Errorf("%s is not a whole number from 0 up", v.Raw)
	}
	*to = n
	return nil
}

func readWord[T ~string](to *T, v gjson.Result, words []T) error {
	if v.Type != gjson.String || !slices.Contains(words, T(v.Str)) {
		return notOneOf(v.Raw, words)
	}
	*to = T(v.Str)
	return nil
}

func notOneOf[T ~string](got string, words []T) error {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = string(w)
	}
	return fmt.Errorf("%s is not one of %s", strings.Trim(got, `"`), strings.Join(list, ", "))
}

package merge_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/grimoire-kit/grimoire/core/merge"
)

func Example() {
	settings := `{
	"model": "opus", // the big one
	"permissions": {"deny": ["Read(./private/**)"]}
}`
	target := merge.Target{
		OwnsCommand: func(c string) bool { return strings.HasPrefix(c, "grimoire-hook ") },
		OwnsString:  func(_ merge.Path, v string) bool { return v == "Read(./**/.env)" },
	}
	out, record, err := merge.Apply([]byte(settings), []merge.Op{
		merge.EnsureString{Path: merge.Path{"permissions", "deny"}, Value: "Read(./**/.env)"},
		merge.EnsureHook{Event: "Stop", Handler: json.RawMessage(`{"type":"command","command":"grimoire-hook --event Stop"}`)},
	}, merge.Record{}, target)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(out))

	back, err := merge.Remove(out, record, target)
	fmt.Println(string(back) == settings, err)
	// Output:
	// {
	// 	"model": "opus", // the big one
	// 	"permissions": {"deny": ["Read(./private/**)", "Read(./**/.env)"]},
	// 	"hooks": {
	// 		"Stop": [
	// 			{
	// 				"hooks": [
	// 					{
	// 						"type": "command",
	// 						"command": "grimoire-hook --event Stop"
	// 					}
	// 				]
	// 			}
	// 		]
	// 	}
	// }
	// true <nil>
}

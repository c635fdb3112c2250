//go:build !unix

package ledger

import "time"

var begun = time.Now()

// cpu is the time that has passed, where processor time is not told.
func cpu() time.Duration { return time.Since(begun) }

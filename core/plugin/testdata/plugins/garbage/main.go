// Command garbage is a plugin whose stdout is full of something else before the
// handshake.
package main

import (
	"fmt"
	"time"
)

func main() {
	for range 1000 {
		fmt.Println("\x1b[31mLoading configuration…")
	}
	time.Sleep(time.Minute)
}

package core

import (
	"fmt"
	"strconv"
)

// counted returns a number and what it counts, for the name of a case:
// "1 worker", "100,000 keys".
func counted(n int, what string) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n != 1 {
		what += "s"
	}
	return fmt.Sprint(digits, " ", what)
}

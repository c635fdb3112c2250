package command

// Input limits. A line beyond them is not judged.
const (
	// MaxBytes is the longest command line that is parsed, in bytes.
	MaxBytes = 128 << 10
	// MaxDepth is the deepest nesting that is followed, counted over brackets, shell blocks and programs given as
	// text to another program.
	MaxDepth = 100
	// MaxSteps bounds the work on one line: statements, words and programs that are followed.
	MaxSteps = 20_000

	// maxBrackets and maxKeywords bound what reaches the parser. It is a recursive-descent parser, and its time and its
	// stack grow with the nesting of the input: a stack overflow is not a panic and cannot be recovered from.
	maxBrackets = 20_000
	maxKeywords = 1_000
)

// tooDeep estimates the nesting of src in one pass, before it is parsed. Quotes are ignored, so that a bracket that is
// data counts too; a closing bracket that is data can hide an opening one, which is why the number of opening brackets
// is bounded as well.
func tooDeep(src string) bool {
	var depth, opened, keywords, backticks int
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '(', '{', '[':
			depth++
			opened++
			if depth > MaxDepth || opened > maxBrackets {
				return true
			}
		case ')', '}', ']':
			depth = max(0, depth-1)
		case '`':
			// Nested backticks need one more backslash a level, so that their number says enough.
			if backticks++; backticks > maxBrackets {
				return true
			}
		case 'i', 'w', 'u', 'f', 'c', 's', 'd', 'e':
			if i > 0 && !startsCommand(src[i-1]) {
				continue
			}
			end := i
			for end < len(src) && src[end] >= 'a' && src[end] <= 'z' {
				end++
			}
			switch src[i:end] {
			case "if", "while", "until", "for", "case", "select":
				if keywords++; keywords > maxKeywords {
					return true
				}
			case "fi", "done", "esac":
				keywords = max(0, keywords-1)
			}
			i = end - 1
		}
	}
	return false
}

// startsCommand says that a keyword may stand after c.
func startsCommand(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r', ';', '&', '|', '(', '{', '`', '!':
		return true
	}
	return false
}

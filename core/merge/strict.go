package merge

// Strict gives src as strict JSON of the same length: the byte order mark,
// comments and trailing commas become spaces, so that an offset in one is an
// offset in the other. What is no JSON even then stays as wrong as it was. Errors
// are *ShapeError and *LimitError, for a text that cannot be scanned.
func Strict(src []byte) ([]byte, error) {
	_, strict, err := scan(src)
	return strict, err
}

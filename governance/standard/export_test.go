package standard

// Counts reports whether a check's id belongs to a dimension of the score.
func Counts(id string) bool {
	_, ok := dimensionOf(id)
	return ok
}

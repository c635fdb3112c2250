package observe

// LookWithin is Look with another bound.
var LookWithin = lookWithin

package standard

import "github.com/grimoire-kit/grimoire/surface"

// Options are what is asked of Verify, Score and CheckGate.
type Options struct {
	// Profile is the one to hold the project against; "" is its own.
	Profile surface.Profile
	// Task is the task whose files are looked at; "" is Bootstrap. It must
	// have passed CheckTask.
	Task string
}

// Verification is what was found. Lists are in the order of the examination.
type Verification struct {
	Profile     surface.Profile
	Task        string
	Present     []string // paths of required files that are there
	Missing     []string // and of those that are not; what is no file and in one's place is a check
	InvalidYAML []string
	Checks      []Check
	// Unsure says that the project's own profile cannot be read, so that no file
	// is written before a person mends it.
	Unsure bool
}

// OK reports that nothing is missing, no YAML is invalid and no check is an
// error.
func (v *Verification) OK() bool { return v.Errors() == 0 }

// Errors counts the missing files and the checks that are errors, of which each
// file of InvalidYAML has one.
func (v *Verification) Errors() int { return len(v.Missing) + count(v.Checks, Error) }

// Warnings counts the checks that are warnings.
func (v *Verification) Warnings() int { return count(v.Checks, Warning) }

func count(checks []Check, s Severity) (n int) {
	for _, c := range checks {
		if c.Severity == s {
			n++
		}
	}
	return n
}

// examination is one pass over a project.
type examination struct {
	f *Folder
	v *Verification
}

func (f *Folder) examine(o Options) *examination {
	v := &Verification{Profile: o.Profile, Task: o.Task}
	follows := f.Followed()
	v.Unsure = follows.Wrong.EN != ""
	if v.Profile == "" {
		v.Profile = follows.Profile
	}
	if v.Task == "" {
		v.Task = Bootstrap
	}
	return &examination{f, v}
}

// Verify holds the project against its profile. It writes nothing.
func (f *Folder) Verify(o Options) *Verification {
	e := f.examine(o)
	e.presence()
	e.manifest()
	e.mission()
	e.providers()
	e.knowledge()
	e.envelope()
	e.evidencePack()
	e.compliance()
	e.board()
	e.memory()
	e.context()
	e.decisions()
	e.rules()
	e.hooks()
	e.orchestration()
	e.gates()
	e.patterns()
	e.scorePolicy()
	e.exceptions()
	e.observability()
	e.policies()
	e.capacity()
	e.controls()
	return e.v
}

// presence sorts the files that the profile requires.
func (e *examination) presence() {
	paths := []string{ProfileFile}
	for _, a := range Artifacts(e.v.Profile) {
		if !a.Optional {
			paths = append(paths, a.Path(e.v.Task))
		}
	}
	for _, path := range paths {
		switch {
		case e.f.isFile(path):
			e.v.Present = append(e.v.Present, path)
		case !e.f.stands(path):
			e.v.Missing = append(e.v.Missing, path)
		}
	}
}

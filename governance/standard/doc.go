// Package standard knows the agentic standard that a project may enrol in: the
// five profiles, the files each asks for, and what is wrong with those a
// project has. It audits, scores and checks the gates of a task.
//
// The files and the ids of checks are those of the existing kit, so that both
// read and judge one project. What the package knows beyond it is a warning at
// most, or optional: a project made by the existing kit verifies as before.
//
// It only reads, and only inside the project. The texts of new files are in
// core/kit; core/enrol writes them. It imports surface and governance/policy;
// governance, core and cmd import it.
package standard

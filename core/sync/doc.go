// Package sync brings a project's files in line with what emitters asked for,
// and takes them out again.
//
// It works in two steps. Preparing reads the project and decides, path by path:
// written, unchanged, a conflict with a file of the user's, or refused. Applying
// does what was decided under the project's lock and reports what was and was
// not done. A path that fails costs only itself.
//
// It emits nothing, knows no host by name, and leaves the splicing of JSON to
// package merge and the disk to package tree. Only cmd and core may import it.
package sync

// Package scaffold prepares a project for grimoire and brings an older one up
// to date: project-context.yaml, the starter personas, skills and commands
// under _grimoire/kit, the shared memory page, and the workflow prompts that
// VS Code reads.
//
// It never replaces what a person wrote, and never brings back what a person
// removed. It emits nothing for hosts: the caller runs a sync afterwards. Only
// core and cmd import it.
package scaffold

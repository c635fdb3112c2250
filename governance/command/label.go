package command

import "github.com/grimoire-kit/grimoire/surface"

// Label names a destructive shape. The values are stable: they appear in traces.
type Label string

// The destructive shapes.
const (
	RecursiveDelete  Label = "recursive-delete"
	ForcePush        Label = "force-push"
	HardReset        Label = "hard-reset"
	ForcedClean      Label = "forced-clean"
	DiscardChanges   Label = "discard-changes"
	RawDeviceWrite   Label = "raw-device-write"
	FilesystemFormat Label = "filesystem-format"
	WorldWritable    Label = "world-writable"
	SchemaDrop       Label = "schema-drop"
	InfraDestroy     Label = "infra-destroy"
	ClusterDelete    Label = "cluster-delete"
	DockerPrune      Label = "docker-prune"
)

var labelTexts = map[Label]surface.Text{
	RecursiveDelete:  {FR: "suppression récursive ou forcée", EN: "recursive or forced delete"},
	ForcePush:        {FR: "push forcé", EN: "force push"},
	HardReset:        {FR: "réinitialisation dure (git reset --hard)", EN: "hard reset"},
	ForcedClean:      {FR: "nettoyage forcé (git clean -f)", EN: "forced clean"},
	DiscardChanges:   {FR: "abandon de toutes les modifications", EN: "discard of all changes"},
	RawDeviceWrite:   {FR: "écriture brute sur un périphérique", EN: "raw device write"},
	FilesystemFormat: {FR: "formatage d'un système de fichiers", EN: "filesystem format"},
	WorldWritable:    {FR: "droits d'écriture pour tous, récursivement", EN: "recursive world-writable chmod"},
	SchemaDrop:       {FR: "suppression ou troncature de schéma", EN: "schema drop or truncation"},
	InfraDestroy:     {FR: "destruction d'infrastructure", EN: "infrastructure destruction"},
	ClusterDelete:    {FR: "suppression de ressources du cluster", EN: "cluster deletion"},
	DockerPrune:      {FR: "purge complète de Docker", EN: "full docker prune"},
}

// Labels returns every destructive shape, in the order in which they are documented.
func Labels() []Label {
	return []Label{
		RecursiveDelete, ForcePush, HardReset, ForcedClean, DiscardChanges, RawDeviceWrite,
		FilesystemFormat, WorldWritable, SchemaDrop, InfraDestroy, ClusterDelete, DockerPrune,
	}
}

// Text returns the label in the languages of people.
func (l Label) Text() surface.Text { return labelTexts[l] }

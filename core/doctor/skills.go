package doctor

import (
	"path"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// skillFile is the only spelling that any host was observed to load.
const skillFile = "SKILL.md"

// skills names the files of a folder that look like skills and are none to the
// host: beside the folders instead of in one, in lower case, or too deep. Other
// files of a skill's folder are its own business.
func (r *reading) skills(folder string, nested bool) []string {
	const form = "<slug>/" + skillFile
	skipped := surface.Text{FR: "l'hôte ne charge pas cette compétence, sans le dire", EN: "the host does not load this skill, and does not say so"}
	var loaded []string
	for _, file := range r.markdown(folder, true, ".md") {
		inner := strings.TrimPrefix(file, folder)
		depth, base := strings.Count(inner, "/"), path.Base(inner)
		switch {
		case depth == 0 && !strings.EqualFold(base, "readme.md"):
			r.say(warning, file, 0, "", sentence(surface.Text{FR: "un fichier seul ; il faut " + form, EN: "a lone file; it has to be " + form}, skipped))
		case base != skillFile && strings.EqualFold(base, skillFile):
			r.say(warning, file, 0, "", sentence(surface.Text{FR: "le nom s'écrit " + skillFile, EN: "the name is spelled " + skillFile}, skipped))
		case base == skillFile && depth > 1 && !nested:
			r.say(warning, file, 0, "", sentence(surface.Text{FR: "un dossier de trop ; il faut " + form, EN: "one folder too many; it has to be " + form}, skipped))
		case base == skillFile && depth > 0:
			loaded = append(loaded, file)
		}
	}
	return loaded
}

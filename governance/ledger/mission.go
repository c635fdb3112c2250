package ledger

import (
	"time"

	"github.com/tidwall/gjson"
)

const missionSchema = "grimoire.mission.v1"

// Mission is what tasks are for.
type Mission struct {
	ID          string
	Title       string
	Description string
	Status      MissionStatus
	Origin      string
	Risk        string // light, standard, strict, security_critical, release
	CreatedAt   time.Time
	CreatedBy   string
	Repos       []string
	Surfaces    []string
	Packs       []string

	created string // created_at as it was spelled
	unknown []member
}

// MarshalJSON spells the mission in the existing kit's keys and order.
func (m Mission) MarshalJSON() ([]byte, error) { return m.encode(), nil }

func (m *Mission) encode() []byte {
	o := newObject()
	o.text("id", m.ID)
	o.text("schema_version", missionSchema)
	o.text("title", m.Title)
	o.text("description", m.Description)
	o.text("status", string(m.Status))
	o.text("origin", m.Origin)
	o.text("risk_profile", m.Risk)
	o.text("created_at", spelled(m.created, m.CreatedAt))
	o.text("created_by", m.CreatedBy)
	scope := newObject()
	scope.texts("repos", m.Repos)
	scope.texts("surfaces", m.Surfaces)
	scope.texts("packs", m.Packs)
	o.raw("scope", scope.String())
	o.rest(m.unknown)
	return o.bytes()
}

func decodeMission(o gjson.Result) Mission {
	m := Mission{Status: MissionDraft, Risk: "standard"}
	o.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "id":
			m.ID = text(v)
		case "schema_version":
		case "title":
			m.Title = text(v)
		case "description":
			m.Description = text(v)
		case "status":
			m.Status = MissionStatus(text(v))
		case "origin":
			m.Origin = text(v)
		case "risk_profile":
			m.Risk = text(v)
		case "created_at":
			m.created = text(v)
			m.CreatedAt, _ = ParseTime(m.created)
		case "created_by":
			m.CreatedBy = text(v)
		case "scope":
			m.Repos, m.Surfaces, m.Packs = texts(get(v, "repos")), texts(get(v, "surfaces")), texts(get(v, "packs"))
		default:
			m.unknown = append(m.unknown, member{key.Str, v.Raw})
		}
		return true
	})
	return m
}

// spelled is a time as a line spelled it, or else as this package does.
func spelled(as string, t time.Time) string {
	if as != "" || t.IsZero() {
		return as
	}
	return FormatTime(t)
}

package standard

import (
	"slices"
	"strings"

	"github.com/grimoire-kit/grimoire/surface"
)

// Need is what a team has to do, in its own words, with the patterns that
// answer it and the weakest profile at which they make sense.
type Need struct {
	ID       string
	About    surface.Text
	Profile  surface.Profile
	Patterns []string // types of controls
}

var needs = []Need{
	{"architecture-decisions", surface.Text{FR: "prendre à plusieurs les décisions qui durent", EN: "take lasting decisions together"},
		surface.ProfileOrchestrated, []string{"decision_council"}},
	{"cost-control", surface.Text{FR: "savoir ce que coûtent les modèles, et s'arrêter à temps", EN: "know what models cost, and stop in time"},
		surface.ProfileControlled, []string{"cost_registry", "runtime_provider_contract"}},
	{"documentation-graph", surface.Text{FR: "relier la documentation et la tenir à jour", EN: "link documentation up and keep it true"},
		surface.ProfileOrchestrated, []string{"doc_graph_pipeline"}},
	{"kubernetes", surface.Text{FR: "laisser des agents approcher d'un cluster", EN: "let agents near a cluster"},
		surface.ProfileGoverned, []string{"blast_radius_policy", "cluster_action_policy", "k8s_agent_manifest"}},
	{"long-sessions", surface.Text{FR: "travailler longtemps sans perdre le fil", EN: "work for long without losing the thread"},
		surface.ProfileOrchestrated, []string{"compression_gate", "memory_integrity"}},
	{"multi-agent", surface.Text{FR: "plusieurs agents à la fois, sans se gêner", EN: "several agents at once, out of each other's way"},
		surface.ProfileOrchestrated, []string{"privilege_boundary", "merge_lane", "workspace_isolation"}},
	{"production-access", surface.Text{FR: "approcher de ce qui sert des clients", EN: "come near what serves customers"},
		surface.ProfileGoverned, []string{"blast_radius_policy", "privilege_boundary", "environment_policy"}},
	{"prompt-engineering", surface.Text{FR: "faire évoluer des consignes sans les casser", EN: "change prompts without breaking them"},
		surface.ProfileControlled, []string{"guardrail_contract", "prompt_version_log"}},
	{"shared-repository", surface.Text{FR: "pousser dans un dépôt où d'autres travaillent", EN: "push to a repository that others work in"},
		surface.ProfileStarter, []string{"remote_hygiene", "merge_lane"}},
	{"untrusted-input", surface.Text{FR: "lire des pages, des tickets, du code d'inconnus", EN: "read pages, tickets and code of strangers"},
		surface.ProfileControlled, []string{"prompt_firewall", "memory_integrity", "guardrail_contract"}},
	{"web-ui", surface.Text{FR: "faire une interface, et la montrer", EN: "build an interface, and show it"},
		surface.ProfileStarter, []string{"visual_evidence", "browser_tool_contract"}},
	{"workflows", surface.Text{FR: "décrire des processus que des agents suivent", EN: "describe processes that agents follow"},
		surface.ProfileOrchestrated, []string{"flow_dsl_manifest", "workflow_state_manifest"}},
}

// Needs lists them by id.
func Needs() []Need { return slices.Clone(needs) }

// FindNeed is the need of an id, spelled with hyphens or underscores.
func FindNeed(word string) (Need, bool) {
	word = strings.ReplaceAll(word, "_", "-")
	i := slices.IndexFunc(needs, func(n Need) bool { return n.ID == word })
	if i < 0 {
		return Need{}, false
	}
	return needs[i], true
}

// Store is where a project's memory can be kept.
type Store struct {
	ID    string
	About surface.Text
	// Program is what must be installed, "" where grimoire or a file is
	// enough.
	Program string
	// Env names the variable that says where its server is, "" where it has
	// none.
	Env string
}

var stores = []Store{
	{"auto", surface.Text{FR: "ce qui est là, du plus fort au plus simple", EN: "what is there, from the strongest to the simplest"}, "", ""},
	{"lexical", surface.Text{FR: "recherche de mots dans un fichier SQLite", EN: "search for words in an SQLite file"}, "", ""},
	{"local", surface.Text{FR: "un fichier JSON", EN: "a JSON file"}, "", ""},
	{"mempalace", surface.Text{FR: "MemPalace", EN: "MemPalace"}, "mempalace", ""},
	{"neo4j", surface.Text{FR: "graphe, sur un serveur Neo4j", EN: "a graph, on a Neo4j server"}, "neo4j", "NEO4J_URI"},
	{"ollama", surface.Text{FR: "vecteurs calculés par un Ollama local", EN: "vectors from a local Ollama"}, "ollama", "OLLAMA_HOST"},
	{"qdrant-local", surface.Text{FR: "vecteurs dans un dossier", EN: "vectors in a folder"}, "", ""},
	{"qdrant-server", surface.Text{FR: "vecteurs sur un serveur Qdrant", EN: "vectors on a Qdrant server"}, "qdrant", "QDRANT_URL"},
	{"redis", surface.Text{FR: "mémoire vive, sur un serveur Redis", EN: "hot memory, on a Redis server"}, "redis-server", "REDIS_URL"},
	{"sqlite", surface.Text{FR: "un fichier SQLite à côté du projet", EN: "an SQLite file beside the project"}, "", ""},
	{"tantivy-local", surface.Text{FR: "recherche de mots dans un index Tantivy", EN: "search for words in a Tantivy index"}, "", ""},
	{"weaviate-server", surface.Text{FR: "vecteurs sur un serveur Weaviate", EN: "vectors on a Weaviate server"}, "weaviate", "WEAVIATE_URL"},
}

// Stores lists them by id.
func Stores() []Store { return slices.Clone(stores) }

// FindStore is the store of an id.
func FindStore(word string) (Store, bool) {
	i := slices.IndexFunc(stores, func(s Store) bool { return s.ID == word })
	if i < 0 {
		return Store{}, false
	}
	return stores[i], true
}

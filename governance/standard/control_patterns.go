package standard

import "github.com/grimoire-kit/grimoire/surface"

// Words that several controls share.
var (
	answerWords = []string{"allow", "ask", "block"}
	accessWords = []string{"free", "ask", "forbidden"}
	verbWords   = []string{"read", "search", "edit", "execute", "web"}
	levelWords  = []string{"low", "medium", "high"}
	pageWords   = []string{"read", "click", "fill", "download", "upload", "login"}
	idField     = Field{Key: "id", About: "Name of the entry, once in the list."}
	ownerField  = Field{Key: "owner", About: "Who answers for it."}
)

// controlFiles are all of them: patterns, then registers.
var controlFiles = []Control{
	{Type: "blast_radius_policy", Family: "tools.blast_radius_", Pattern: true,
		About: surface.Text{FR: "jusqu'où une erreur d'agent peut aller, et ce qui la défait", EN: "how far an agent's mistake can reach, and what undoes it"},
		Fields: []Field{
			{Key: "levels", Kind: Entries, About: "From what git undoes to what nothing does.", Of: []Field{
				idField,
				{Key: "covers", About: "What lies in reach at this level."},
				{Key: "undo", Kind: Enum, Words: []string{"git", "backup", "none"}, About: "What takes a mistake back."},
				{Key: "answer", Kind: Enum, Words: answerWords, About: "What an agent is told that wants to act there."},
				{Key: "max_files", Kind: Count, Optional: true, About: "How many files one action may change."},
			}},
			{Key: "tools", Kind: Entries, Empty: true, About: "Which tool acts at which level.", Of: []Field{
				{Key: "tool", About: "A command, or a tool of a host."},
				{Key: "level", Kind: Reference, Ref: "levels", About: "Id of a level."},
			}},
		}},
	{Type: "privilege_boundary", Family: "privilege.", Pattern: true,
		About: surface.Text{FR: "ce que chaque rôle peut faire, et ce qu'il ne fait jamais", EN: "what each role may do, and what it never does"},
		Fields: []Field{
			{Key: "default", Kind: Enum, Words: []string{"none", "read"}, About: "What a role may do that is not listed."},
			{Key: "boundaries", Kind: Entries, Of: []Field{
				{Key: "role", About: "A persona, or a role of orchestration-policy.yaml."},
				{Key: "may", Kind: Enums, Words: verbWords, About: "Verbs of its tools."},
				{Key: "never", Kind: Enums, Words: verbWords, Optional: true, Empty: true, About: "Verbs that no task widens."},
				{Key: "credentials", Kind: Enum, Words: []string{"none", "read-only", "scoped"}, About: "What it may sign in with."},
				{Key: "escalate_to", About: "Who decides beyond it."},
			}},
		}},
	{Type: "prompt_firewall", Family: "firewall.", Pattern: true,
		About: surface.Text{FR: "quels textes commandent, lesquels ne sont que des données", EN: "which texts give orders, and which are only data"},
		Fields: []Field{
			{Key: "sources", Kind: Entries, Of: []Field{
				idField,
				{Key: "trust", Kind: Enum, Words: []string{"instruction", "data", "quarantine"}, About: "Whether what it says may steer an agent."},
			}},
			{Key: "rules", Kind: Entries, Of: []Field{
				idField,
				{Key: "detects", About: "What to look for in data."},
				{Key: "answer", Kind: Enum, Words: []string{"ignore", "ask", "block"}, About: "What becomes of it."},
			}},
			{Key: "exfiltration", Kind: Enum, Words: []string{"ask", "block"}, About: "What becomes of data that would leave the project."},
		}},
	{Type: "remote_hygiene", Family: "remote.", Pattern: true,
		About: surface.Text{FR: "ce qu'un agent pousse, où, et ce qu'il laisse propre", EN: "what an agent pushes, where, and what it leaves clean"},
		Fields: []Field{
			{Key: "remotes", Kind: Entries, Of: []Field{
				idField,
				{Key: "branches", Kind: Texts, About: "Branches that agents push to, `*` for any text."},
				{Key: "force", Kind: Enum, Words: []string{"never", "with-lease"}, About: "Whether history there may be written over."},
			}},
			{Key: "protected_branches", Kind: Texts, About: "Branches that only people push to."},
			{Key: "fetch_before_push", Kind: Flag},
			{Key: "delete_merged", Kind: Flag, Optional: true, About: "Whether a merged branch goes."},
		}},
	{Type: "decision_council", Family: "council.", Pattern: true,
		About: surface.Text{FR: "les décisions que plusieurs rôles regardent avant qu'elles soient prises", EN: "the decisions that several roles look at before they are taken"},
		Fields: []Field{
			{Key: "convene_when", Kind: Texts, About: "What is decided together."},
			{Key: "seats", Kind: Entries, Of: []Field{
				idField,
				{Key: "asks", About: "The question this seat puts."},
			}},
			{Key: "quorum", Kind: Count, About: "How many seats must have answered."},
			{Key: "decided_by", Kind: Enum, Words: []string{"human", "majority"}},
			{Key: "tie", Kind: Enum, Words: []string{"human", "status-quo"}, About: "What holds when they do not agree."},
			{Key: "record", Kind: Place, About: "Where the decision is written down."},
		}},
	{Type: "compression_gate", Family: "compression.", Pattern: true,
		About: surface.Text{FR: "ce qu'un résumé de contexte ne doit pas perdre", EN: "what a summary of the context must not lose"},
		Fields: []Field{
			{Key: "at_percent", Kind: Percent, About: "How full the context is when it is summed up."},
			{Key: "keep", Kind: Texts, About: "What the summary must still say."},
			{Key: "never_from_memory", Kind: Texts, Optional: true, Empty: true, About: "What is read again afterwards, not taken from the summary."},
			{Key: "on_loss", Kind: Enum, Words: []string{"reload", "ask", "stop"}, About: "What to do when something of keep is gone."},
		}},
	{Type: "memory_integrity", Family: "integrity.", Pattern: true,
		About: surface.Text{FR: "ce qui entre en mémoire, avec quelle source, et comment une erreur en sort", EN: "what enters memory, with which source, and how a mistake leaves it"},
		Fields: []Field{
			{Key: "writes", Kind: Table, Of: []Field{
				{Key: "require_source", Kind: Enforced, About: "A memory says where it comes from."},
				{Key: "review_types", Kind: Texts, Empty: true, About: "Types of memory that a person reads first."},
			}},
			{Key: "checks", Kind: Entries, Of: []Field{
				idField,
				{Key: "looks_for", About: "What is wrong with a memory."},
				{Key: "action", Kind: Enum, Words: []string{"warn", "quarantine", "refuse"}},
			}},
			{Key: "corrections", Kind: Enum, Words: []string{"supersede", "delete"}, About: "How a memory that proved wrong goes."},
		}},
	{Type: "merge_lane", Family: "merge.", Pattern: true,
		About: surface.Text{FR: "par où passe le travail avant d'arriver sur la branche commune", EN: "what work goes through before it reaches the common branch"},
		Fields: []Field{
			{Key: "lanes", Kind: Entries, Of: []Field{
				idField,
				{Key: "into", About: "The branch it leads to."},
				{Key: "strategy", Kind: Enum, Words: []string{"merge", "squash", "rebase"}},
				{Key: "requires", Kind: Texts, About: "What must be green."},
				{Key: "at_once", Kind: Count, About: "How many merges may be under way."},
				{Key: "merged_by", Kind: Enum, Words: []string{"human", "automation"}},
			}},
			{Key: "on_conflict", Kind: Enum, Words: []string{"rebase", "human"}},
			{Key: "on_red", Kind: Enum, Words: []string{"revert", "stop"}, About: "What happens when the common branch breaks."},
		}},
	{Type: "cost_registry", Family: "cost.", Pattern: true,
		About: surface.Text{FR: "ce que coûtent les modèles, et ce qu'on accepte de dépenser", EN: "what models cost, and what may be spent"},
		Fields: []Field{
			{Key: "pricing", Kind: Entries, Empty: true, About: "Catalogue prices in US dollars; a model that is not listed is unpriced, not free.", Of: []Field{
				{Key: "model"},
				{Key: "provider", About: "Id of llm-provider-registry.yaml."},
				{Key: "input_per_1k_usd", Kind: Amount, About: "US dollars for 1000 tokens read."},
				{Key: "output_per_1k_usd", Kind: Amount, About: "US dollars for 1000 tokens written."},
				{Key: "checked_on", Kind: Date, Optional: true, About: "Day the price was looked up."},
			}},
			{Key: "budgets", Kind: Entries, Of: []Field{
				idField,
				{Key: "scope", Kind: Enum, Words: []string{"session", "task", "day", "month"}},
				{Key: "max_usd", Kind: Amount, About: "US dollars."},
				{Key: "on_reach", Kind: Enum, Words: []string{"warn", "block"}},
			}},
		}},
	{Type: "guardrail_contract", Family: "guardrail.", Pattern: true,
		About: surface.Text{FR: "les règles qu'aucune consigne ne lève, et ce qui montre qu'elles tiennent", EN: "the rules that no instruction lifts, and what shows that they hold"},
		Fields: []Field{
			{Key: "guardrails", Kind: Entries, Of: []Field{
				idField,
				{Key: "applies_to", Kind: Enum, Words: []string{"input", "output", "tool", "state"}},
				{Key: "rule", About: "What never happens."},
				{Key: "on_violation", Kind: Enum, Words: []string{"warn", "block", "escalate"}},
				{Key: "proof", Optional: true, About: "The test or command that shows it holds."},
				ownerField,
			}},
		}},
	{Type: "visual_evidence", Family: "visual.", Pattern: true,
		About: surface.Text{FR: "les captures qui montrent qu'une interface est faite", EN: "the captures that show that an interface is done"},
		Fields: []Field{
			{Key: "required_for", Kind: Texts, About: "Paths whose change asks for captures."},
			{Key: "captures", Kind: Entries, Of: []Field{
				idField,
				{Key: "viewport", About: "Width and height in pixels, 1280x800."},
				{Key: "states", Kind: Texts, About: "What is to be seen."},
			}},
			{Key: "formats", Kind: Enums, Words: []string{"png", "jpeg", "webp", "mp4", "webm"}},
			{Key: "store", Kind: Place, About: "Where captures are kept."},
			{Key: "redacted", Kind: Enforced, About: "No capture shows personal data or secrets."},
		}},
	{Type: "workspace_isolation", Family: "workspace.", Pattern: true,
		About: surface.Text{FR: "un espace de travail par tâche, et ce qu'ils partagent", EN: "a workspace for each task, and what they share"},
		Fields: []Field{
			{Key: "unit", Kind: Enum, Words: []string{"worktree", "clone", "container", "branch"}},
			{Key: "location", About: "Where workspaces stand; never in a folder for temporary files."},
			{Key: "one_task_per_workspace", Kind: Enforced},
			{Key: "shared", Kind: Texts, Optional: true, Empty: true, About: "What several workspaces may use at once."},
			{Key: "cleanup", Kind: Enum, Words: []string{"on-close", "manual"}, About: "When a workspace goes; never while it holds work that is on no remote."},
		}},
	{Type: "environment_policy", Family: "env.", Pattern: true,
		About: surface.Text{FR: "ce qu'un agent peut faire dans chaque environnement", EN: "what an agent may do in each environment"},
		Fields: []Field{
			{Key: "environments", Kind: Entries, Of: []Field{
				idField,
				{Key: "kind", Kind: Enum, Words: []string{"local", "ci", "staging", "production"}},
				{Key: "agents", Kind: Enum, Words: accessWords, About: "Whether agents act there."},
				{Key: "secrets", Kind: Enum, Words: []string{"none", "scoped", "vault"}, About: "Which secrets are in reach there."},
				{Key: "data", Kind: Enum, Words: []string{"synthetic", "masked", "real"}},
			}},
		}},
	{Type: "browser_tool_contract", Family: "browser.", Pattern: true,
		About: surface.Text{FR: "ce qu'un agent fait d'un navigateur", EN: "what an agent does with a browser"},
		Fields: []Field{
			{Key: "allowed_origins", Kind: Texts, About: "Where it may go."},
			{Key: "may", Kind: Enums, Words: pageWords},
			{Key: "ask_before", Kind: Enums, Words: pageWords, Optional: true, Empty: true},
			{Key: "credentials", Kind: Enum, Words: []string{"none", "test-accounts"}, About: "A person's own session is never used."},
			{Key: "session", Kind: Enum, Words: []string{"fresh", "persistent"}},
			{Key: "pages_are_data", Kind: Enforced, About: "What a page says gives no order."},
		}},
	{Type: "runtime_provider_contract", Family: "runtime.", Pattern: true,
		About: surface.Text{FR: "ce qu'un hôte et un fournisseur garantissent ensemble", EN: "what a host and a provider guarantee together"},
		Fields: []Field{
			{Key: "runtimes", Kind: Entries, Of: []Field{
				idField,
				{Key: "host", About: "A host of hosts.enabled."},
				{Key: "provider", About: "Id of llm-provider-registry.yaml."},
				{Key: "hooks", Kind: Enum, Words: []string{"blocking", "observing", "none"}, About: "What stands between the model and its tools."},
				{Key: "max_minutes", Kind: Count, About: "Minutes one run may take."},
				{Key: "on_outage", Kind: Enum, Words: []string{"wait", "fallback", "stop"}},
			}},
		}},
	{Type: "prompt_version_log", Family: "promptver.", Pattern: true,
		About: surface.Text{FR: "les versions des consignes, et ce qui a montré que la nouvelle vaut mieux", EN: "the versions of prompts, and what showed that the new one is better"},
		Fields: []Field{
			{Key: "evaluate_before_use", Kind: Enforced},
			{Key: "prompts", Kind: Entries, Empty: true, Of: []Field{
				idField,
				{Key: "path", Kind: Place, About: "The file of the prompt."},
				{Key: "version"},
				{Key: "changed_on", Kind: Date},
				{Key: "reason", About: "What was wrong with the one before."},
				{Key: "evaluated_by", About: "The test, run or person that compared them."},
			}},
		}},
	{Type: "cluster_action_policy", Family: "cluster.", Pattern: true,
		About: surface.Text{FR: "ce qu'un agent fait d'un cluster", EN: "what an agent does to a cluster"},
		Fields: []Field{
			{Key: "clusters", Kind: Entries, Of: []Field{
				idField,
				{Key: "kind", Kind: Enum, Words: []string{"development", "staging", "production"}},
				{Key: "agents", Kind: Enum, Words: accessWords},
			}},
			{Key: "actions", Kind: Entries, Of: []Field{
				idField,
				{Key: "commands", Kind: Texts},
				{Key: "answer", Kind: Enum, Words: answerWords},
				{Key: "dry_run_first", Kind: Flag},
			}},
		}},
	{Type: "doc_graph_pipeline", Family: "docgraph.", Pattern: true,
		About: surface.Text{FR: "comment la documentation devient un graphe, et d'où vient chaque lien", EN: "how documentation becomes a graph, and where each link comes from"},
		Fields: []Field{
			{Key: "sources", Kind: Entries, Of: []Field{
				idField,
				{Key: "path", Kind: Place},
				{Key: "kind", Kind: Enum, Words: []string{"docs", "code", "decisions", "api"}},
			}},
			{Key: "stages", Kind: Entries, Of: []Field{
				idField,
				{Key: "does"},
				{Key: "writes", Kind: Place},
			}},
			{Key: "refresh", Kind: Enum, Words: []string{"on-change", "daily", "weekly", "manual"}},
			{Key: "links_name_their_source", Kind: Enforced},
		}},
	{Type: "flow_dsl_manifest", Family: "flowdsl.", Pattern: true,
		About: surface.Text{FR: "le vocabulaire des flux : genres de nœuds, contrats, fichiers", EN: "the vocabulary of flows: kinds of nodes, contracts, files"},
		Fields: []Field{
			{Key: "node_kinds", Kind: Entries, Of: []Field{
				idField,
				{Key: "does"},
			}},
			{Key: "contracts", Kind: Entries, About: "What passes between nodes.", Of: []Field{
				idField,
				{Key: "holds"},
			}},
			{Key: "flows", Kind: Entries, Empty: true, Of: []Field{
				idField,
				{Key: "file", Kind: Place},
				{Key: "starts_with", Kind: Reference, Ref: "node_kinds", About: "Kind of its first node."},
			}},
		}},
	{Type: "workflow_state_manifest", Family: "wsm.", Pattern: true,
		About: surface.Text{FR: "les états d'un processus, et ce qui fait passer de l'un à l'autre", EN: "the states of a process, and what leads from one to the next"},
		Fields: []Field{
			{Key: "initial", Kind: Reference, Ref: "states"},
			{Key: "states", Kind: Entries, Of: []Field{
				idField,
				{Key: "means"},
				{Key: "terminal", Kind: Flag},
			}},
			{Key: "transitions", Kind: Entries, Of: []Field{
				{Key: "from", Kind: Reference, Ref: "states"},
				{Key: "to", Kind: Reference, Ref: "states"},
				{Key: "when"},
			}},
		}},
	{Type: "k8s_agent_manifest", Family: "k8s.", Pattern: true,
		About: surface.Text{FR: "les agents qui tournent dans Kubernetes, et leurs limites", EN: "the agents that run in Kubernetes, and their limits"},
		Fields: []Field{
			{Key: "agents", Kind: Entries, Of: []Field{
				idField,
				{Key: "namespace"},
				{Key: "service_account", About: "Its own, never `default`."},
				{Key: "image", About: "With a digest, so that it is the one that was looked at."},
				{Key: "limits", Kind: Table, Of: []Field{
					{Key: "cpu", About: "As Kubernetes writes it, 500m."},
					{Key: "memory", About: "As Kubernetes writes it, 512Mi."},
				}},
				{Key: "network", Kind: Enum, Words: []string{"none", "allowlist"}},
				{Key: "run_as_non_root", Kind: Enforced},
				{Key: "read_only_root", Kind: Enforced},
			}},
		}},

	{Type: "capability_registry", Family: "capability.",
		About: surface.Text{FR: "ce que les agents savent faire ici, et ce qui le montre", EN: "what agents can do here, and what shows it"},
		Fields: []Field{
			{Key: "capabilities", Kind: Entries, Of: []Field{
				idField,
				{Key: "does"},
				{Key: "status", Kind: Enum, Words: []string{"planned", "in_use", "retired"}},
				{Key: "proof", Optional: true, About: "The command or file that shows it works."},
				ownerField,
			}},
		}},
	{Type: "incident_registry", Family: "incident.",
		About: surface.Text{FR: "ce qui a mal tourné, et ce qui a changé depuis", EN: "what went wrong, and what has changed since"},
		Fields: []Field{
			{Key: "severities", Kind: Entries, Of: []Field{
				idField,
				{Key: "means"},
				{Key: "answered_within", About: "How soon somebody looks at it."},
			}},
			{Key: "incidents", Kind: Entries, Empty: true, Of: []Field{
				idField,
				{Key: "severity", Kind: Reference, Ref: "severities"},
				{Key: "opened_on", Kind: Date},
				{Key: "summary"},
				{Key: "status", Kind: Enum, Words: []string{"open", "mitigated", "closed"}},
				{Key: "follow_up", Optional: true, About: "The task or change that keeps it from happening again."},
			}},
		}},
	{Type: "retention_registry", Family: "retention.",
		About: surface.Text{FR: "combien de temps chaque trace est gardée", EN: "how long each trace is kept"},
		Fields: []Field{
			{Key: "records", Kind: Entries, Of: []Field{
				idField,
				{Key: "path", Kind: Place},
				{Key: "keep", About: "How long, in words: 90 days, until closed, for good."},
				{Key: "then", Kind: Enum, Words: []string{"delete", "archive", "keep"}},
				ownerField,
			}},
		}},
	{Type: "risk_control_matrix", Family: "risk.",
		About: surface.Text{FR: "les risques du travail d'agents, et ce qui les tient", EN: "the risks of agents' work, and what holds them"},
		Fields: []Field{
			{Key: "risks", Kind: Entries, Of: []Field{
				idField,
				{Key: "risk", About: "What could happen."},
				{Key: "likelihood", Kind: Enum, Words: levelWords},
				{Key: "impact", Kind: Enum, Words: levelWords},
				{Key: "controls", Kind: Texts, About: "What makes it rarer or smaller."},
				{Key: "residual", Kind: Enum, Words: levelWords, About: "What is left of it."},
				ownerField,
			}},
		}},
	{Type: "tool_registry", Family: "tools.registry_",
		About: surface.Text{FR: "les outils admis, et ce que chacun peut changer", EN: "the tools that are admitted, and what each can change"},
		Fields: []Field{
			{Key: "tools", Kind: Entries, Of: []Field{
				idField,
				{Key: "verb", Kind: Enum, Words: verbWords},
				{Key: "changes", Kind: Enum, Words: []string{"nothing", "files", "shared"}, About: "What it can change: nothing, files that git tracks, what others use."},
				{Key: "approval", Kind: Enum, Words: []string{"none", "ask", "forbidden"}},
				ownerField,
			}},
		}},
}

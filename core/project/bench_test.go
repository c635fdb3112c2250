package project

import (
	"fmt"
	"strings"
	"testing"
)

// large is a project of n personas, as long as those of the existing kit: 5 KiB
// with a comment, a frontmatter and prose in French.
func large(n int) map[string]string {
	prose := strings.Repeat("Elle lit le dépôt, résume ce qui s'y passe et propose la suite, sans toucher à rien.\n", 55)
	files := map[string]string{
		"project-context.yaml": "project: {name: large}\nhosts: {enabled: [alpha, beta]}\n",
		"docs/shared.md":       "",
	}
	for i := range n {
		files[fmt.Sprintf("_grimoire/kit/agents/persona-%04d.md", i)] = fmt.Sprintf(`<!-- ARCHETYPE: meta -->
---
name: "persona-%04d"
description: "Persona %d — regarde"
model_affinity:
  reasoning: high
  context_window: large
  speed: fast
  cost: low
max_turns: 40
skills: ["grimoire-memory"]
context: ["docs/shared.md"]
---
%s`, i, i, prose)
	}
	return files
}

// BenchmarkLoad shows that the time is linear in the personas: 1,000 of them
// load in well under 300 ms.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			root := write(b, large(n))
			b.ReportAllocs()
			for b.Loop() {
				p, err := Load(root, hosts)
				if err != nil || len(p.Surface.Agents) != n || len(p.Warnings) > 0 {
					b.Fatal(err, p)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/persona")
		})
	}
}

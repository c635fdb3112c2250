package enrol

import (
	"fmt"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/grimoire-kit/grimoire/core/tree"
	"github.com/grimoire-kit/grimoire/governance/standard"
)

type scoreFile struct {
	Schema     string    `yaml:"$schema"`
	Task       string    `yaml:"task_id"`
	Profile    string    `yaml:"profile"`
	Generated  string    `yaml:"generated_at"`
	OK         bool      `yaml:"ok"`
	Score      int       `yaml:"score"`
	Threshold  int       `yaml:"threshold"`
	Warnings   int       `yaml:"warnings"`
	Errors     int       `yaml:"errors"`
	Dimensions yaml.Node `yaml:"dimensions"`
}

type dimension struct {
	Weight     int `yaml:"weight"`
	Earned     int `yaml:"earned"`
	Percentage int `yaml:"percentage"`
	Errors     int `yaml:"errors"`
	Warnings   int `yaml:"warnings"`
}

// SaveScore keeps a score where the gate of a release looks for it, and
// returns the path.
func SaveScore(root string, s *standard.Score, at time.Time) (path string, err error) {
	v := s.Verification
	path = standard.ScorePath(v.Task)
	out := scoreFile{
		Schema: "grimoire-agentic-standard-score-result/v1", Task: v.Task, Profile: string(v.Profile),
		Generated: at.UTC().Format(stamp), OK: s.OK(), Score: s.Score, Threshold: s.Threshold,
		Warnings: v.Warnings(), Errors: v.Errors(),
		Dimensions: yaml.Node{Kind: yaml.MappingNode},
	}
	for _, d := range s.Dimensions {
		var value yaml.Node
		if err := value.Encode(dimension{d.Weight, d.Earned, d.Percentage, d.Errors, d.Warnings}); err != nil {
			return path, fmt.Errorf("write %s: %w", path, err)
		}
		value.Style = yaml.FlowStyle
		name := yaml.Node{}
		name.SetString(d.Name)
		out.Dimensions.Content = append(out.Dimensions.Content, &name, &value)
	}
	data, err := yaml.Marshal(out)
	if err != nil {
		return path, fmt.Errorf("write %s: %w", path, err)
	}
	t, err := tree.Open(root)
	if err != nil {
		return path, err
	}
	defer t.Close()
	f, err := t.Read(path)
	if err != nil {
		return path, err
	}
	if _, err := t.Replace(f, data); err != nil {
		return path, err
	}
	return path, t.Sync()
}

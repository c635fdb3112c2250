package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/grimoire-kit/grimoire/governance/contract"
)

// The prompts carry these, so that a request tells whose it is: a sub-agent's
// conversation holds the second alone.
const (
	markMain = "MAIN-PROMPT"
	markSub  = "SUB-PROMPT"
)

const subAgent = "sub-agent"

// model is the scripted model of one run, in the words of the Anthropic
// Messages API and of the OpenAI Chat Completions API.
type model struct {
	mu     sync.Mutex
	stage  *stage
	host   host
	acts   map[string][]act // of the session ("") and of its sub-agent
	taken  map[string]int
	counts map[string]map[string]int // how often a conversation held a text
	sizes  map[string]int            // in parts, at its last request
	asked  map[string]*contract.Ask  // the last one, whose result is awaited
	last   string                    // the last refusal that was read
	tap    string                    // where the hook's calls are recorded
	steps  []timed
	egress []string
	n      int
	keep   bool // each request, in the folder of the run
}

// timed is a step with its time.
type timed struct {
	at time.Time
	contract.Step
}

// part is a piece of a conversation.
type part struct{ role, text string }

// parts flattens what a request holds.
func parts(body map[string]any) []part {
	var all []part
	var walk func(role string, v any)
	walk = func(role string, v any) {
		switch v := v.(type) {
		case string:
			all = append(all, part{role, v})
		case []any:
			for _, item := range v {
				walk(role, item)
			}
		case map[string]any:
			if v["type"] == "tool_result" {
				role = "tool"
			}
			walk(role, v["text"])
			walk(role, v["content"])
		}
	}
	walk("system", body["system"])
	messages, _ := body["messages"].([]any)
	for _, m := range messages {
		if m, ok := m.(map[string]any); ok {
			role, _ := m["role"].(string)
			walk(role, m["content"])
		}
	}
	return all
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := time.Now()
	if r.Method == http.MethodConnect || r.URL.IsAbs() { // used as a proxy
		m.mu.Lock()
		m.egress = append(m.egress, r.Host)
		m.mu.Unlock()
		http.Error(w, "there is no network here", http.StatusBadGateway)
		return
	}
	raw, _ := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	var body map[string]any
	_ = json.Unmarshal(raw, &body)
	w.Header().Set("Content-Type", "application/json")
	switch path := r.URL.Path; {
	case strings.HasSuffix(path, "/count_tokens"):
		_, _ = io.WriteString(w, `{"input_tokens":10}`)
	case strings.HasSuffix(path, "/models"):
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"scripted","object":"model","created":0,"owned_by":"us"}]}`)
	case strings.HasSuffix(path, "/messages"), strings.HasSuffix(path, "/chat/completions"):
		m.mu.Lock()
		a := m.next(at, body)
		m.n++
		n := m.n
		if m.keep {
			_ = os.WriteFile(filepath.Join(m.stage.base, fmt.Sprintf("request-%03d.json", n)), raw, 0o600)
		}
		m.mu.Unlock()
		if strings.HasSuffix(path, "/messages") {
			anthropic(w, body, a, n)
		} else {
			openai(w, body, a, n)
		}
	default:
		http.NotFound(w, r)
	}
}

// reply is what the model answers.
type reply struct {
	text   string
	tool   string
	input  json.RawMessage
	tokens int // that the request is said to have had
}

// next notes what the request shows and takes the conversation's next act.
func (m *model) next(at time.Time, body map[string]any) reply {
	all := parts(body)
	by, lastUser := subAgent, ""
	for _, p := range all {
		if strings.Contains(p.text, markMain) {
			by = ""
		}
		if p.role == "user" {
			lastUser = p.text
		}
	}
	tools, _ := body["tools"].([]any)
	// What Claude Code and Copilot CLI compact a conversation with.
	summary := strings.Contains(lastUser, "Respond with TEXT ONLY") || strings.Contains(lastUser, "create a detailed summary of the conversation")
	m.notice(at, by, all, summary)
	switch {
	case summary:
		m.steps = append(m.steps, timed{at.Add(1), contract.Step{Says: "(a summary, for a compaction)"}})
		return reply{text: "<analysis>short</analysis>\n<summary>" + markMain + ": the work goes on.</summary>", tokens: 10}
	case len(tools) == 0:
		return reply{text: "a title", tokens: 10}
	}
	if ask := m.asked[by]; ask != nil {
		for _, p := range all {
			if p.role == "tool" {
				ask.Result = p.text
			}
		}
		m.asked[by] = nil
	}
	a := act{says: "DONE"}
	if i := m.taken[by]; i < len(m.acts[by]) {
		a = m.acts[by][i]
		m.taken[by]++
	}
	a = a.resolve(m.last)
	tokens := a.tokens
	if tokens == 0 {
		tokens = 10
	}
	tool, input := m.host.call(m.stage, a)
	if tool == "" {
		m.steps = append(m.steps, timed{at.Add(1), contract.Step{Says: a.says}})
		return reply{text: a.says, tokens: tokens}
	}
	data, _ := json.Marshal(input)
	ask := &contract.Ask{By: by, Tool: tool, Input: data, Does: contract.Effect{Runs: a.run, Writes: a.write, Text: a.content}}
	m.steps = append(m.steps, timed{at.Add(1), contract.Step{Asks: ask}})
	m.asked[by] = ask
	return reply{tool: tool, input: data, tokens: tokens}
}

// notice records the texts of the product that a conversation holds more often
// than in its last request.
func (m *model) notice(at time.Time, by string, all []part, summary bool) {
	var known []string
	for _, c := range calls(m.tap) {
		for _, text := range contract.Texts(c.Stdout) {
			if known = append(known, text); strings.Contains(c.Stdout, `"block"`) || strings.Contains(c.Stdout, `"deny"`) {
				m.last = text
			}
		}
	}
	known = longestFirst(known)
	if len(all) < m.sizes[by] { // compacted: what it holds is read anew
		m.counts[by] = nil
	}
	now, leads := map[string]int{}, map[string][]string{}
	for _, p := range all {
		if p.role == "assistant" {
			continue
		}
		text := p.text
		for _, k := range known {
			for {
				i := strings.Index(text, k)
				if i < 0 {
					break
				}
				now[k]++
				leads[k] = append(leads[k], p.role+": "+lead(text[:i]))
				text = text[:i] + "\x00\n" + text[i+len(k):]
			}
		}
		// What no recorded answer said: the stand-ins of a missing program.
		for line := range strings.Lines(text) {
			i := strings.Index(line, "Grimoire: grimoire-hook")
			if i < 0 && p.role != "system" {
				i = strings.Index(line, "[Grimoire]")
			}
			if i >= 0 {
				k := strings.TrimSpace(line[i:])
				now[k]++
				leads[k] = append(leads[k], p.role+": "+lead(line[:i]))
			}
		}
	}
	for _, k := range longestFirst(keys(now)) {
		for _, as := range leads[k][min(m.counts[by][k], now[k]):] {
			if summary {
				as = "for the summary, " + as
			}
			m.steps = append(m.steps, timed{at, contract.Step{Read: &contract.Reading{By: by, As: as, Text: k}}})
		}
	}
	if !summary {
		m.counts[by], m.sizes[by] = now, len(all)
	}
}

// lead is the words right before a text: the rest of its line, else the line
// above.
func lead(before string) string {
	line := before
	if trimmed := strings.TrimRight(before, "\n"); trimmed != before || strings.Contains(before, "\n") {
		line = trimmed[strings.LastIndex(trimmed, "\n")+1:]
		if at := strings.LastIndex(before, "\n"); at+1 < len(before) {
			line = before[at+1:]
		}
	}
	if runes := []rune(line); len(runes) > 100 {
		line = "…" + string(runes[len(runes)-100:])
	}
	return strings.ReplaceAll(strings.TrimSpace(line), "\x00", "…")
}

type sse struct{ w http.ResponseWriter }

func (s sse) event(name string, doc any) {
	data, _ := json.Marshal(doc)
	if name != "" {
		_, _ = fmt.Fprintf(s.w, "event: %s\n", name)
	}
	_, _ = fmt.Fprintf(s.w, "data: %s\n\n", data)
	if f, ok := s.w.(http.Flusher); ok {
		f.Flush()
	}
}

func anthropic(w http.ResponseWriter, body map[string]any, a reply, n int) {
	usage := object{"input_tokens": a.tokens, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
	block, why := object{"type": "text", "text": a.text}, "end_turn"
	if a.tool != "" {
		block, why = object{"type": "tool_use", "id": fmt.Sprintf("toolu_scripted%03d", n), "name": a.tool, "input": a.input}, "tool_use"
	}
	message := object{"id": fmt.Sprintf("msg_%03d", n), "type": "message", "role": "assistant", "model": body["model"],
		"content": []any{block}, "stop_reason": why, "stop_sequence": nil, "usage": usage}
	if stream, _ := body["stream"].(bool); !stream {
		_ = json.NewEncoder(w).Encode(message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	s := sse{w}
	message["content"], message["stop_reason"] = []any{}, nil
	s.event("message_start", object{"type": "message_start", "message": message})
	start, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": a.text}
	if a.tool != "" {
		start = object{"type": "tool_use", "id": block["id"], "name": a.tool, "input": object{}}
		delta = object{"type": "input_json_delta", "partial_json": string(a.input)}
	}
	s.event("content_block_start", object{"type": "content_block_start", "index": 0, "content_block": start})
	s.event("content_block_delta", object{"type": "content_block_delta", "index": 0, "delta": delta})
	s.event("content_block_stop", object{"type": "content_block_stop", "index": 0})
	s.event("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": why, "stop_sequence": nil}, "usage": object{"output_tokens": 5}})
	s.event("message_stop", object{"type": "message_stop"})
}

func openai(w http.ResponseWriter, body map[string]any, a reply, n int) {
	usage := object{"prompt_tokens": a.tokens, "completion_tokens": 5, "total_tokens": a.tokens + 5}
	id, why := fmt.Sprintf("chatcmpl-%03d", n), "stop"
	var tools []any
	if a.tool != "" {
		why = "tool_calls"
		tools = []any{object{"index": 0, "id": fmt.Sprintf("call_scripted%03d", n), "type": "function",
			"function": object{"name": a.tool, "arguments": string(a.input)}}}
	}
	if stream, _ := body["stream"].(bool); !stream {
		message := object{"role": "assistant", "content": a.text}
		if tools != nil {
			message["tool_calls"] = tools
		}
		_ = json.NewEncoder(w).Encode(object{"id": id, "object": "chat.completion", "created": time.Now().Unix(), "model": body["model"],
			"choices": []any{object{"index": 0, "message": message, "finish_reason": why}}, "usage": usage})
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	s := sse{w}
	chunk := func(delta object, why any, usage any) {
		doc := object{"id": id, "object": "chat.completion.chunk", "created": time.Now().Unix(), "model": body["model"],
			"choices": []any{object{"index": 0, "delta": delta, "finish_reason": why}}}
		if usage != nil {
			doc["usage"] = usage
		}
		s.event("", doc)
	}
	chunk(object{"role": "assistant", "content": a.text}, nil, nil)
	if tools != nil {
		chunk(object{"tool_calls": tools}, nil, nil)
	}
	chunk(object{}, why, usage)
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

package ledger

import (
	"bytes"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"
)

// An image is a state written down: a line that says of which version of the
// log, then a line per mission, then one per task, its row of the index before
// its object. An image that does not hold together is no image.
const imageSchema = "grimoire.ledger_image.v3"

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// checksum is that of crc32.Checksum, of a text.
func checksum(s string) (sum uint32) {
	table := castagnoli()
	var buf [8 << 10]byte
	for len(s) > 0 {
		n := copy(buf[:], s)
		sum = crc32.Update(sum, table, buf[:n])
		s = s[n:]
	}
	return sum
}

// encodeImage spells a state; what has not changed since it was read is copied.
func encodeImage(m memory) []byte {
	s := m.state
	head := newObject()
	head.text("schema_version", imageSchema)
	head.number("offset", m.at.Offset)
	head.text("tail", m.at.Tail)
	head.text("first", m.at.First)
	head.given("file", m.file)
	if s.partial {
		head.raw("partial", "true")
	}
	head.number("missions", int64(len(s.missions)))
	head.number("tasks", int64(len(s.order)))
	head.number("events", int64(s.Log.Events))
	head.number("lines", int64(s.Log.Lines))
	head.number("skipped", int64(s.Log.Skipped))
	head.raw("faults", list(s.Log.Faults, func(f Fault) *object {
		o := newObject()
		o.number("line", int64(f.Line))
		o.number("offset", f.Offset)
		o.text("kind", string(f.Kind))
		return o
	}))
	buf := make([]byte, 9, 1024*(1+len(s.order)))
	buf = append(append(buf, head.bytes()...), '\n')
	for i := range s.missions {
		buf = append(append(buf, s.missions[i].encode()...), '\n')
	}
	for _, id := range s.order {
		e := s.tasks[id]
		if e.line == "" {
			e.line = string(e.encode())
		}
		buf = append(append(buf, e.line...), '\n')
	}
	sum := strconv.FormatUint(uint64(crc32.Checksum(buf[9:], castagnoli())), 16)
	copy(buf, "00000000"[len(sum):]+sum+" ")
	return buf
}

// encode spells the task's line.
func (e *entry) encode() []byte {
	t := e.task
	buf := []byte{'['}
	for _, s := range []string{t.ID, t.Mission, t.Title, t.Owner, t.Type, t.Risk, string(t.Status), t.Priority(), t.Reason} {
		buf = append(appendText(buf, s), ',')
	}
	for _, n := range []int64{micros(t.Since), micros(t.ReadySince), micros(t.due()), t.Epoch} {
		buf = append(strconv.AppendInt(buf, n, 10), ',')
	}
	buf = strconv.AppendBool(buf, t.Claim != nil && !t.Status.Ended())
	buf = strconv.AppendBool(append(buf, ','), len(t.DependsOn) > 0)
	buf = append(buf, ']', '\t')
	return append(buf, t.encode()...)
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// full is the task, read from its line if need be.
func (e *entry) full() *Task {
	if e.task == nil {
		_, object, _ := cutTab(e.line)
		t := decodeTask(gjson.Parse(object))
		t.ID = e.row.ID // the index speaks for the task
		t.Since, t.ReadySince = e.row.Since, e.row.ReadySince
		t.Reason, t.Epoch = e.reason, e.epoch
		e.task = t
	}
	return e.task
}

// spelled is the task as MarshalJSON spells it. One that has not changed is
// copied, where that is JSON at all: an image may come with a repository.
func (e *entry) spelled() string {
	if _, object, ok := cutTab(e.line); ok && strings.HasPrefix(object, "{") && gjson.Valid(object) {
		return object
	}
	return string(e.full().encode())
}

// cutTab takes a task's line apart; in a row's texts a tab is escaped.
func cutTab(line string) (row, object string, ok bool) { return strings.Cut(line, "\t") }

// decodeImage reads an image, without the tasks themselves.
func decodeImage(image string) (memory, bool) {
	none := memory{}
	if len(image) < 10 || image[8] != ' ' {
		return none, false
	}
	sum, err := strconv.ParseUint(image[:8], 16, 32)
	rest := image[9:]
	if err != nil || uint32(sum) != checksum(rest) {
		return none, false
	}
	next := func() (line string, ok bool) {
		line, rest, ok = strings.Cut(rest, "\n")
		return line, ok
	}
	line, _ := next()
	if !gjson.Valid(line) {
		return none, false
	}
	head := gjson.Parse(line)
	if head.Get("schema_version").Str != imageSchema {
		return none, false
	}
	s := newState()
	s.partial = head.Get("partial").Bool()
	s.Log = Tally{Events: int(head.Get("events").Int()), Lines: int(head.Get("lines").Int()), Skipped: int(head.Get("skipped").Int())}
	for _, f := range head.Get("faults").Array() {
		s.Log.Faults = append(s.Log.Faults, Fault{Line: int(f.Get("line").Int()), Offset: f.Get("offset").Int(), Kind: FaultKind(f.Get("kind").Str)})
	}
	for range head.Get("missions").Int() {
		line, ok := next()
		if !ok || !gjson.Valid(line) {
			return none, false
		}
		s.missions = append(s.missions, decodeMission(gjson.Parse(line)))
	}
	tasks := head.Get("tasks").Int()
	if tasks < 0 || tasks > int64(len(rest)) {
		return none, false
	}
	entries := make([]entry, tasks)
	s.tasks, s.order = make(map[string]*entry, tasks), make([]string, 0, tasks)
	for i := range entries {
		line, ok := next()
		if !ok {
			return none, false
		}
		e := &entries[i]
		held, ok := e.decode(line)
		if !ok || s.tasks[e.row.ID] != nil {
			return none, false
		}
		e.place = i
		s.tasks[e.row.ID] = e
		s.order = append(s.order, e.row.ID)
		if held {
			s.held[e.row.ID] = true
		}
	}
	at := Version{Offset: head.Get("offset").Int(), Tail: head.Get("tail").Str, First: head.Get("first").Str}
	return memory{state: s, at: at, file: head.Get("file").Str}, rest == "" && at.Offset >= 0
}

// decode reads the row of a task's line.
func (e *entry) decode(line string) (held, ok bool) {
	row, _, ok := cutTab(line)
	if !ok {
		return false, false
	}
	var texts [9]string
	var numbers [4]int64
	if held, e.linked, ok = plainRow(row, &texts, &numbers); !ok {
		held, e.linked, ok = anyRow(row, &texts, &numbers)
	}
	e.line, e.reason, e.epoch = line, texts[8], numbers[3]
	e.row = Row{ID: texts[0], Mission: texts[1], Title: texts[2], Owner: texts[3], Type: texts[4], Risk: texts[5],
		Status: Status(texts[6]), Priority: texts[7], Since: fromMicros(numbers[0]), ReadySince: fromMicros(numbers[1]), Due: fromMicros(numbers[2])}
	return held, ok
}

// plainRow reads a row whose texts have no escapes, as nearly all of them: there
// may be ten thousand.
func plainRow(row string, texts *[9]string, numbers *[4]int64) (held, linked, ok bool) {
	rest, ok := strings.CutPrefix(row, "[")
	for i := 0; i < len(texts) && ok; i++ {
		if rest, ok = strings.CutPrefix(rest, `"`); !ok {
			return false, false, false
		}
		end := strings.IndexByte(rest, '"')
		if end < 0 || strings.IndexByte(rest[:end], '\\') >= 0 {
			return false, false, false
		}
		texts[i] = rest[:end]
		rest, ok = strings.CutPrefix(rest[end:], `",`)
	}
	for i := 0; i < len(numbers) && ok; i++ {
		var n string
		if n, rest, ok = strings.Cut(rest, ","); ok {
			var err error
			numbers[i], err = strconv.ParseInt(n, 10, 64)
			ok = err == nil
		}
	}
	h, l, _ := strings.Cut(rest, ",")
	held, linked = h == "true", l == "true]"
	return held, linked, ok && (held || h == "false") && (linked || l == "false]")
}

// anyRow reads any row.
func anyRow(row string, texts *[9]string, numbers *[4]int64) (held, linked, ok bool) {
	n := 0
	gjson.Parse(row).ForEach(func(_, v gjson.Result) bool {
		switch {
		case n < 9:
			texts[n] = v.Str
		case n < 13:
			numbers[n-9] = v.Int()
		case n == 13:
			held = v.Type == gjson.True
		default:
			linked = v.Type == gjson.True
		}
		n++
		return true
	})
	return held, linked, n == 15
}

// onlyHeld is a state of the held tasks alone.
func (s *State) onlyHeld() *State {
	h := newState()
	h.partial = true
	h.Log = s.Log
	h.Log.Faults = slices.Clone(s.Log.Faults)
	for i, e := range s.heldEntries() {
		t := *e.full()
		h.tasks[t.ID] = &entry{place: i, row: e.row, reason: e.reason, epoch: e.epoch, linked: e.linked, line: e.line, task: &t}
		h.order = append(h.order, t.ID)
		h.held[t.ID] = true
	}
	return h
}

// same reports whether two images say the same.
func same(a, b memory) bool {
	a.file, b.file = "", ""
	return bytes.Equal(encodeImage(a), encodeImage(b))
}

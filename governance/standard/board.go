package standard

import (
	"errors"
	"io/fs"

	"github.com/grimoire-kit/grimoire/surface"
)

// FileError is a file of the standard that is there and cannot be read.
type FileError struct {
	Path string
	Why  surface.Text
}

func (e *FileError) Error() string { return e.Text().EN }

// Text is the message in both languages.
func (e *FileError) Text() surface.Text {
	return surface.Text{FR: e.Path + " : " + e.Why.FR, EN: e.Path + ": " + e.Why.EN}
}

// Board is the project's board as the Tasks of a gate.
type Board struct{ cards []node }

// Board reads the board; a project without one has an empty one. A board that
// cannot be read is a *FileError.
func (f *Folder) Board() (*Board, error) {
	top, _, err := f.yaml(BoardFile)
	if errors.Is(err, fs.ErrNotExist) {
		return &Board{}, nil
	}
	if err != nil {
		return nil, &FileError{BoardFile, words(err)}
	}
	return &Board{top.get("tasks").list()}, nil
}

// State is the column of a task's card.
func (b *Board) State(task string) (state string, known bool, err error) {
	for _, c := range b.cards {
		if c.get("task_id").text() == task {
			return c.get("status").text(), true, nil
		}
	}
	return "", false, nil
}

// Current is the only card in progress.
func (b *Board) Current() (task string, err error) {
	for _, c := range b.cards {
		if c.get("status").text() != "in_progress" || CheckTask(c.get("task_id").text()) != nil {
			continue
		}
		if task != "" {
			return "", nil
		}
		task = c.get("task_id").text()
	}
	return task, nil
}

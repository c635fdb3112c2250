package main

import (
	"io"
	"os"
)

type console struct{ in, out *os.File }

func (c console) Read(p []byte) (int, error)  { return c.in.Read(p) }
func (c console) Write(p []byte) (int, error) { return c.out.Write(p) }

func (c console) Close() error {
	err := c.in.Close()
	if outErr := c.out.Close(); err == nil {
		err = outErr
	}
	return err
}

// openTerminal opens the console of whoever started the process, whatever its
// stdin is.
func openTerminal() (io.ReadWriteCloser, error) {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		_ = in.Close()
		return nil, err
	}
	return console{in, out}, nil
}

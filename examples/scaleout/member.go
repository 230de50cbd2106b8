package main

import (
	"io"
	"os"
	"os/exec"
)

// member is a worker process, as the program sees it.
type member struct {
	name    string
	started chan struct{} // closed when the process has been started
	cmd     *exec.Cmd     // once started
	stdin   io.Closer     // once started
	killed  bool          // on purpose
	gone    chan struct{} // closed when the process has ended
	err     error         // of the process, when it is gone
	left    chan struct{} // closed when the group knows that it is gone
}

// newMember returns a worker that is yet to be started.
func newMember(name string) *member {
	return &member{name: name, started: make(chan struct{}), gone: make(chan struct{}), left: make(chan struct{})}
}

// start starts this program as a worker.
func (m *member) start(broker string, o options, stderr io.Writer) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	m.cmd = exec.Command(program, "worker", "-name", m.name, "-broker", broker, "-write", o.write.String())
	m.cmd.Stderr = stderr
	if m.stdin, err = m.cmd.StdinPipe(); err != nil {
		return err
	}
	if err := m.cmd.Start(); err != nil {
		return err
	}
	close(m.started)
	go func() {
		m.err = m.cmd.Wait()
		close(m.gone)
	}()
	return nil
}

// stop lets the process drain what it has, and waits for its end.
func (m *member) stop() error {
	m.stdin.Close()
	<-m.gone
	return m.err
}

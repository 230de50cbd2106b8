package pipeline

import (
	"slices"
	"sync"
)

// crew is a set of named goroutines, which can be waited for and, when the wait
// is over, named.
type crew struct {
	tasks map[string]func()

	mu     sync.Mutex
	atWork map[string]bool
	done   chan struct{} // closed when all have ended
}

func newCrew() *crew {
	return &crew{tasks: make(map[string]func()), atWork: make(map[string]bool), done: make(chan struct{})}
}

func (c *crew) add(name string, task func()) {
	c.tasks[name] = task
	c.atWork[name] = true
}

// start starts all that were added.
func (c *crew) start() {
	if len(c.tasks) == 0 {
		close(c.done)
	}
	for name, task := range c.tasks {
		c.run(name, task)
	}
}

// run starts a goroutine, and another one should the task end it before it
// returns: a user's function may call runtime.Goexit.
func (c *crew) run(name string, task func()) {
	go func() {
		returned := false
		defer func() {
			if returned {
				c.end(name)
			} else {
				c.run(name, task)
			}
		}()
		task()
		returned = true
	}()
}

func (c *crew) end(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.atWork, name)
	if len(c.atWork) == 0 {
		close(c.done)
	}
}

// names returns those that have not ended, sorted.
func (c *crew) names() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var names []string
	for name := range c.atWork {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

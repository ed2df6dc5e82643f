// Asks the gateway with every official SDK over every backend, and prints a row for each check.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
)

const (
	question = "How is the weather in Paris?"
	result   = "18 degrees, clear"
	toolName = "get_weather"
	toolText = "Tells the weather of a town."
)

var toolSchema = map[string]any{
	"type":                 "object",
	"properties":           map[string]any{"city": map[string]any{"type": "string"}},
	"required":             []string{"city"},
	"additionalProperties": false,
}

// What the starter tells.
var told struct {
	URL      string   `json:"url"`
	Key      string   `json:"key"`
	Backends []string `json:"backends"`
	Answer   string   `json:"answer"`
	Usage    struct {
		Input  int64 `json:"input"`
		Output int64 `json:"output"`
	} `json:"usage"`
}

// One answer in no client's words. City is what the call of the tool said.
type turn struct {
	text   string
	tool   string
	city   string
	finish string
	input  int64
	output int64
}

// One conversation: of one turn, or with a tool and two.
type asking struct {
	model  string
	stream bool
	tool   bool
	// The gateway wrote the answer, with all that an SDK calls required.
	translated bool
	// Set once a piece of text came, also where the stream then breaks.
	seen bool
}

// Holds a conversation and gives its turns.
type converse func(context.Context, *asking) ([]turn, error)

// A client, and the dialect that it speaks.
type client struct {
	dialect string
	ask     converse
}

// An answer that a client cannot read, which is no sign that it was told of a failure.
type unreadable struct{ why string }

func (e unreadable) Error() string { return e.why }

type row struct {
	Client  string  `json:"client"`
	Backend string  `json:"backend"`
	Check   string  `json:"check"`
	Why     *string `json:"why"`
}

func main() {
	if err := json.Unmarshal([]byte(os.Getenv("CLIENTS")), &told); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	clients, err := openClients()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var all sync.WaitGroup
	var printing sync.Mutex
	// Most checks wait for a slow backend.
	places := make(chan struct{}, 24)
	for name, one := range clients {
		for _, backend := range told.Backends {
			for check, run := range checksOf(one, backend) {
				all.Go(func() {
					places <- struct{}{}
					defer func() { <-places }()
					why := explain(run)
					printing.Lock()
					defer printing.Unlock()
					if err := json.NewEncoder(os.Stdout).Encode(row{name, backend, check, why}); err != nil {
						panic(err)
					}
				})
			}
		}
	}
	all.Wait()
}

func explain(run func() error) (why *string) {
	defer func() {
		if fault := recover(); fault != nil {
			text := fmt.Sprint("panic: ", fault)
			why = &text
		}
	}()
	if err := run(); err != nil {
		text := err.Error()
		return &text
	}
	return nil
}

// The checks of one client over one backend, by name.
func checksOf(one client, backend string) map[string]func() error {
	checks := map[string]func() error{}
	add := func(name string, judge func(converse, *asking) error, asked asking) {
		asked.model = backend + "-" + asked.model
		asked.translated = backend != one.dialect
		checks[name] = func() error { return judge(one.ask, &asked) }
	}
	for what, tool := range map[string]bool{"text": false, "tool": true} {
		add(what+" whole", holds, asking{model: "plain", tool: tool})
		add(what+" streamed", holds, asking{model: "plain", tool: tool, stream: true})
		add(what+" slow", holds, asking{model: "slow", tool: tool, stream: true})
	}
	for _, ending := range []string{"error", "cut", "early"} {
		add(ending+" whole", breaks, asking{model: ending})
		add(ending+" streamed", breaks, asking{model: ending, stream: true})
		add(ending+" slow", breaks, asking{model: "slow-" + ending, stream: true})
	}
	return checks
}

// A whole answer is read as it is.
func holds(ask converse, asked *asking) error {
	turns, err := ask(context.Background(), asked)
	if err != nil {
		return err
	}
	last := turn{text: told.Answer, finish: "end", input: told.Usage.Input, output: told.Usage.Output}
	expected := []turn{last}
	if asked.tool {
		last.text = "The tool said: " + result
		called := turn{tool: toolName, city: "Paris", finish: "calls", input: last.input, output: last.output}
		expected = []turn{called, last}
	}
	if fmt.Sprint(turns) != fmt.Sprint(expected) {
		return fmt.Errorf("read %+v, expected %+v", turns, expected)
	}
	return nil
}

// A broken answer is an error, never a clean end.
func breaks(ask converse, asked *asking) error {
	turns, err := ask(context.Background(), asked)
	if err == nil {
		return fmt.Errorf("a clean end: %+v", turns)
	}
	if _, is := err.(unreadable); is {
		return err
	}
	if asked.stream && strings.Contains(asked.model, "slow") && !asked.seen {
		return fmt.Errorf("the error came before any text: %w", err)
	}
	return nil
}

func cityOf(arguments string) string {
	var parsed struct {
		City string `json:"city"`
	}
	if err := json.Unmarshal([]byte(arguments), &parsed); err != nil {
		return err.Error()
	}
	return parsed.City
}

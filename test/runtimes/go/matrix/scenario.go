// Package matrix is what the programs share that act a scenario: the scenario, its tools at work, the waiting, and the
// transcript. It knows no SDK: what SDKs have in types of their own, goes in and out as JSON.
package matrix

import (
	"encoding/json"
	"log"
	"os"
	"time"
)

// How long an app waits, and how often it goes on.
const (
	// HTTPPatience is how long nothing may come in a turn over HTTP before it is given up, and LivePatience in a turn over Live.
	HTTPPatience = 20 * time.Second
	LivePatience = 10 * time.Second
	// Quiet is how long after the end of its last turn the app hangs up: the usage may come after it.
	Quiet = 250 * time.Millisecond
	// MostRounds is how many requests an app that runs tools by hand makes in one turn at most.
	MostRounds = 6
)

// Scenario is what a program is given to act.
type Scenario struct {
	API               string   `json:"api"`
	Streaming         bool     `json:"streaming"`
	Model             string   `json:"model"`
	Models            []string `json:"models"`
	Agent             string   `json:"agent"`
	AgentID           string   `json:"agentId"`
	Instruction       string   `json:"instruction"`
	Tools             []Tool   `json:"tools"`
	Conversations     [][]Turn `json:"conversations"`
	Audio             bool     `json:"audio"`
	Resumption        bool     `json:"resumption"`
	SaveLiveBlob      bool     `json:"saveLiveBlob"`
	StreamArguments   bool     `json:"streamArguments"`
	ThinkingSummaries bool     `json:"thinkingSummaries"`
}

// Tool is a function that the model may call, and what each run of it returned.
type Tool struct {
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Parameters  json.RawMessage  `json:"parameters"`
	Results     []map[string]any `json:"results"`
}

// Turn is what the user says, and the way it goes over a Live connection: content, realtime-text or audio.
type Turn struct {
	Parts json.RawMessage `json:"parts"`
	How   string          `json:"how"`
}

// Read is the scenario whose file the command line ends with.
func Read() Scenario {
	text, err := os.ReadFile(os.Args[len(os.Args)-1])
	if err != nil {
		log.Fatal(err)
	}
	var scenario Scenario
	Into(text, &scenario)
	return scenario
}

// ModelOf is the model that the turn of this number is for.
func (s *Scenario) ModelOf(turn int) string {
	if turn < len(s.Models) {
		return s.Models[turn]
	}
	return s.Model
}

// Into reads JSON that can't be wrong: the rig wrote it, or an SDK.
func Into(text []byte, value any) {
	if err := json.Unmarshal(text, value); err != nil {
		log.Fatal(err)
	}
}

// JSON writes a value that can be written.
func JSON(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		log.Fatal(err)
	}
	return text
}

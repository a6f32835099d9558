package matrix

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"runtime/debug"
	"strings"
)

const longestMessage = 1000

// madeUp finds the ids that runtimes make up: adk-…, and UUIDs.
var madeUp = regexp.MustCompile(`^adk-|^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$`)

// Event is what an app sees at once, or what is stored as one thing.
type Event struct {
	Author              string           `json:"author"`
	Partial             bool             `json:"partial,omitempty"`
	Interrupted         bool             `json:"interrupted,omitempty"`
	TurnComplete        bool             `json:"turnComplete,omitempty"`
	FinishReason        string           `json:"finishReason,omitempty"`
	ErrorCode           string           `json:"errorCode,omitempty"`
	ErrorMessage        string           `json:"errorMessage,omitempty"`
	Parts               []map[string]any `json:"parts"`
	InputTranscription  any              `json:"inputTranscription,omitempty"`
	OutputTranscription any              `json:"outputTranscription,omitempty"`
	Usage               any              `json:"usage,omitempty"`
	InteractionID       string           `json:"interactionId,omitempty"`
}

// Failure is what the app caught.
type Failure struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Code    any    `json:"code,omitempty"`
}

// told is what came of one turn of the user, or of one connection.
type told struct {
	Events []Event  `json:"events"`
	Error  *Failure `json:"error"`
}

// Transcript is what a program prints: what its runtime handed out, stored and raised.
type Transcript struct {
	Runtime map[string]string `json:"runtime"`
	Turns   []*told           `json:"turns"`
	Session []Event           `json:"session"`
	Runs    []Run             `json:"toolRuns"`
	Notes   []string          `json:"notes,omitempty"`
	ids     map[string]string
}

// NewTranscript is of a program on these modules.
func NewTranscript(modules ...string) *Transcript {
	transcript := &Transcript{Runtime: map[string]string{}, Turns: []*told{}, ids: map[string]string{}}
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		for _, name := range modules {
			if module.Path == name {
				transcript.Runtime[name] = strings.TrimPrefix(module.Version, "v")
			}
		}
	}
	return transcript
}

// Begin begins a turn, or a connection.
func (t *Transcript) Begin() { t.Turns = append(t.Turns, &told{Events: []Event{}}) }

// Saw adds what the app saw in the turn that was begun last.
func (t *Transcript) Saw(event Event) {
	last := t.Turns[len(t.Turns)-1]
	last.Events = append(last.Events, event)
}

// Raised says what was raised in the turn that was begun last; the end is nothing. What came first, stays.
func (t *Transcript) Raised(err error, code any) {
	last := t.Turns[len(t.Turns)-1]
	if err == nil || IsEnd(err) || last.Error != nil {
		return
	}
	message := err.Error()
	// What wraps an error has no name worth telling.
	inner := err
	for errors.Unwrap(inner) != nil {
		inner = errors.Unwrap(inner)
	}
	name := strings.TrimPrefix(reflect.TypeOf(inner).String(), "*")
	last.Error = &Failure{strings.TrimPrefix(name, "matrix."), message[:min(len(message), longestMessage)], code}
}

// Parts are an SDK's parts as the API spells them, with lengths in place of bytes.
func (t *Transcript) Parts(parts any) []map[string]any {
	all := []map[string]any{}
	Into(JSON(parts), &all)
	if all == nil {
		all = []map[string]any{}
	}
	for _, part := range all {
		t.tidy(part)
	}
	return all
}

func (t *Transcript) tidy(part map[string]any) {
	said := false
	for key, value := range part {
		piece, _ := value.(map[string]any)
		if id, ok := piece["id"].(string); ok && (key == "functionCall" || key == "functionResponse") {
			piece["id"] = t.Stable(id)
		}
		if key == "inlineData" {
			data, _ := piece["data"].(string)
			bytes, _ := base64.StdEncoding.DecodeString(data)
			part[key] = map[string]any{"mimeType": piece["mimeType"], "bytes": len(bytes)}
		}
		said = said || key != "thought" && key != "thoughtSignature"
	}
	if !said {
		// The SDK knows no text from an empty one.
		part["text"] = ""
	}
}

// Stable is an id that two runs print alike.
func (t *Transcript) Stable(id string) string {
	if !madeUp.MatchString(id) {
		return id
	}
	if _, seen := t.ids[id]; !seen {
		t.ids[id] = fmt.Sprintf("made-up-%d", len(t.ids)+1)
	}
	return t.ids[id]
}

// Tell prints it all and ends the program, whatever of the runtime still hangs about.
func (t *Transcript) Tell(box *Toolbox) {
	box.mutex.Lock()
	for _, run := range box.runs {
		t.Runs = append(t.Runs, Run{run.Name, run.Args, t.Stable(run.ID)})
	}
	if t.Runs == nil {
		t.Runs = []Run{}
	}
	print(t)
}

// Unsupported says that the runtime has no way to act the scenario, and ends the program.
func (t *Transcript) Unsupported(why string) {
	print(map[string]any{"runtime": t.Runtime, "unsupported": why})
}

func print(value any) {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	os.Exit(0)
}

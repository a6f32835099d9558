// Acts a scenario by an agent of ADK, set up by its environment alone.
//
// Usage: adk SCENARIO.json
package main

import (
	"context"
	"errors"
	"log"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/artifact"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"
	"wiretape.invalid/matrix"
)

const (
	app       = "wiretape_case"
	user      = "user"
	sessionID = "s1"
)

// acting is one scenario being acted.
type acting struct {
	scenario   matrix.Scenario
	transcript *matrix.Transcript
	box        *matrix.Toolbox
	sessions   session.Service
}

func main() {
	ctx := context.Background()
	scenario := matrix.Read()
	a := &acting{
		scenario:   scenario,
		transcript: matrix.NewTranscript("google.golang.org/adk", "google.golang.org/adk/v2", "google.golang.org/genai"),
		box:        matrix.NewToolbox(scenario.Tools),
		sessions:   session.InMemoryService(),
	}
	if scenario.API == "interactions" || scenario.Agent == "managed" {
		a.transcript.Unsupported("ADK for Go does not speak the Interactions API.")
	}
	if _, err := a.sessions.Create(ctx, &session.CreateRequest{AppName: app, UserID: user, SessionID: sessionID}); err != nil {
		log.Fatal(err)
	}
	if scenario.API == "live" {
		for _, turns := range scenario.Conversations {
			a.connect(ctx, turns)
		}
	} else {
		for number, turn := range scenario.Conversations[0] {
			a.ask(ctx, turn, scenario.ModelOf(number))
		}
	}
	stored, err := a.sessions.Get(ctx, &session.GetRequest{AppName: app, UserID: user, SessionID: sessionID})
	if err != nil {
		log.Fatal(err)
	}
	a.transcript.Session = []matrix.Event{}
	for event := range stored.Session.Events().All() {
		a.transcript.Session = append(a.transcript.Session, a.told(event))
	}
	a.transcript.Tell(a.box)
}

// runner runs the scenario's agent on a model. The sessions outlive it.
func (a *acting) runner(ctx context.Context, model string) *runner.Runner {
	root, err := a.agent(ctx, model)
	if errors.Is(err, errUnsupported) {
		a.transcript.Unsupported(err.Error())
	}
	if err != nil {
		log.Fatal(err)
	}
	made, err := runner.New(runner.Config{
		AppName: app, Agent: root, SessionService: a.sessions, ArtifactService: artifact.InMemoryService(),
	})
	if err != nil {
		log.Fatal(err)
	}
	return made
}

// ask is one turn over HTTP.
func (a *acting) ask(ctx context.Context, turn matrix.Turn, model string) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a.transcript.Begin()
	mode := agent.StreamingModeNone
	if a.scenario.Streaming {
		mode = agent.StreamingModeSSE
	}
	events := matrix.Arrivals(a.runner(ctx, model).Run(ctx, user, sessionID, content(turn), agent.RunConfig{StreamingMode: mode}))
	for {
		event, err := matrix.Next(events, matrix.HTTPPatience)
		a.raised(err)
		if event != nil {
			a.transcript.Saw(a.told(event))
		}
		if matrix.IsEnd(err) || errors.Is(err, matrix.Silence{}) {
			return
		}
	}
}

func (a *acting) raised(err error) {
	var refused genai.APIError
	if errors.As(err, &refused) {
		a.transcript.Raised(err, refused.Code)
		return
	}
	a.transcript.Raised(err, closeCode(err))
}

// content is what the user says in a turn.
func content(turn matrix.Turn) *genai.Content {
	said := &genai.Content{Role: genai.RoleUser}
	matrix.Into(turn.Parts, &said.Parts)
	return said
}

// told is an event of ADK's as an event of the transcript.
func (a *acting) told(event *session.Event) matrix.Event {
	told := matrix.Event{
		Author:       event.Author,
		Partial:      event.Partial,
		Interrupted:  event.Interrupted,
		TurnComplete: event.TurnComplete,
		FinishReason: string(event.FinishReason),
		ErrorCode:    event.ErrorCode,
		ErrorMessage: event.ErrorMessage,
		Parts:        []map[string]any{},
	}
	if event.Content != nil {
		told.Parts = a.transcript.Parts(event.Content.Parts)
	}
	if event.InputTranscription != nil {
		told.InputTranscription = event.InputTranscription
	}
	if event.OutputTranscription != nil {
		told.OutputTranscription = event.OutputTranscription
	}
	if event.UsageMetadata != nil {
		told.Usage = event.UsageMetadata
	}
	return told
}

// Acts a scenario by the official SDK, set up by its environment alone. Tools are run by hand.
//
// Usage: genai SCENARIO.json
package main

import (
	"context"
	"errors"
	"log"

	"github.com/gorilla/websocket"
	"google.golang.org/genai"
	"google.golang.org/genai/interactions/models/apierrors"
	"wiretape.invalid/matrix"
)

// acting is one scenario being acted.
type acting struct {
	client     *genai.Client
	scenario   matrix.Scenario
	transcript *matrix.Transcript
	box        *matrix.Toolbox
}

func main() {
	ctx := context.Background()
	scenario := matrix.Read()
	transcript := matrix.NewTranscript("google.golang.org/genai")
	if scenario.Agent == "delegating" {
		transcript.Unsupported("The SDK has no agents that delegate.")
	}
	client, err := genai.NewClient(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	a := &acting{client, scenario, transcript, matrix.NewToolbox(scenario.Tools)}
	switch scenario.API {
	case "live":
		a.live(ctx)
	case "interactions":
		a.interact(ctx)
	default:
		a.chat(ctx)
	}
	transcript.Tell(a.box)
}

// tools are the tools as declarations: the program runs them by hand.
func (a *acting) tools() []*genai.Tool {
	if len(a.scenario.Tools) == 0 {
		return nil
	}
	declared := &genai.Tool{}
	for _, tool := range a.scenario.Tools {
		declared.FunctionDeclarations = append(declared.FunctionDeclarations, &genai.FunctionDeclaration{
			Name: tool.Name, Description: tool.Description, ParametersJsonSchema: tool.Parameters,
		})
	}
	return []*genai.Tool{declared}
}

// instruction is the system instruction, if there is one.
func (a *acting) instruction() *genai.Content {
	if a.scenario.Instruction == "" {
		return nil
	}
	return genai.NewContentFromText(a.scenario.Instruction, genai.RoleUser)
}

// parts are what the user says in a turn.
func parts(turn matrix.Turn) []*genai.Part {
	var said []*genai.Part
	matrix.Into(turn.Parts, &said)
	return said
}

// raised is what ended the turn that was begun last.
func (a *acting) raised(err error) {
	var refused genai.APIError
	var denied *apierrors.APIError
	switch {
	case errors.As(err, &refused):
		a.transcript.Raised(err, refused.Code)
	case errors.As(err, &denied):
		a.transcript.Raised(err, denied.StatusCode)
	case websocket.IsCloseError(err, websocket.CloseNormalClosure):
		// The SDK has an error for this too; to an app it is the end.
	default:
		a.transcript.Raised(err, closeCode(err))
	}
}

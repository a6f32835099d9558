package main

import (
	"context"

	"google.golang.org/genai"
	"google.golang.org/genai/interactions/models/interactions"
	"google.golang.org/genai/interactions/models/operations"
	"wiretape.invalid/matrix"
)

// call is a function call that came whole.
type call struct {
	id, name string
	args     map[string]any
}

// interact is the conversation: the service keeps it, so each request has what is new and the id before it.
func (a *acting) interact(ctx context.Context) {
	previous := ""
	for number, turn := range a.scenario.Conversations[0] {
		a.transcript.Begin()
		var content []interactions.Content
		for _, part := range parts(turn) {
			content = append(content, interactions.Content{TextContent: &interactions.TextContent{Text: part.Text}})
		}
		steps := []interactions.Step{{UserInputStep: &interactions.UserInputStep{Content: content}}}
		for range matrix.MostRounds {
			answer := &answer{acting: a, id: previous, steps: map[int]*begun{}}
			whole := answer.ask(ctx, a.request(steps, a.scenario.ModelOf(number), previous))
			previous = answer.id
			if !whole || len(answer.calls) == 0 {
				break
			}
			steps = nil
			for _, call := range answer.calls {
				// The SDK has no type for a result that is an object.
				result := interactions.NewFunctionResultStepResultUnionUnknown(matrix.JSON(a.box.Run(call.name, call.args, call.id)))
				step := interactions.FunctionResultStep{CallID: call.id, Name: &call.name, Result: result}
				steps = append(steps, interactions.Step{FunctionResultStep: &step})
			}
		}
	}
}

// request is the body of one request.
func (a *acting) request(steps []interactions.Step, model, previous string) operations.CreateInteractionRequestBody {
	var tools []interactions.Tool
	for _, tool := range a.scenario.Tools {
		tools = append(tools, interactions.Tool{Function: &interactions.Function{
			Name: &tool.Name, Description: &tool.Description, Parameters: tool.Parameters,
		}})
	}
	input := interactions.NewInteractionsInput(steps)
	if a.scenario.Agent == "managed" {
		return operations.NewCreateInteractionRequestBody(interactions.CreateAgentInteraction{
			Agent: interactions.AgentOption(a.scenario.AgentID), Input: &input, Stream: stream(a.scenario.Streaming), Tools: tools,
			SystemInstruction: text(a.scenario.Instruction), PreviousInteractionID: text(previous),
		})
	}
	body := interactions.CreateModelInteraction{
		Model: interactions.Model(model), Input: &input, Stream: stream(a.scenario.Streaming), Tools: tools,
		SystemInstruction: text(a.scenario.Instruction), PreviousInteractionID: text(previous),
	}
	if a.scenario.ThinkingSummaries {
		body.GenerationConfig = &interactions.GenerationConfig{ThinkingSummaries: genai.Ptr(interactions.ThinkingSummariesAuto)}
	}
	return operations.NewCreateInteractionRequestBody(body)
}

func stream(on bool) *bool {
	if on {
		return &on
	}
	return nil
}

func text(said string) *string {
	if said == "" {
		return nil
	}
	return &said
}

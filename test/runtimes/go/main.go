// Talks to the API by the official SDK, set up by its environment alone, and prints what it got, a JSON value a line.
//
// Usage: sdk unary | stream | interactions | live
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"google.golang.org/genai"
	"google.golang.org/genai/interactions/models/interactions"
	"google.golang.org/genai/interactions/models/operations"
)

func tell(value any) {
	text, err := json.Marshal(value)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
}

func main() {
	ctx := context.Background()
	client, err := genai.NewClient(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	calls := map[string]func(context.Context, *genai.Client) error{
		"unary": unary, "stream": stream, "interactions": interact, "live": live,
	}
	if err := calls[os.Args[1]](ctx, client); err != nil {
		log.Fatal(err)
	}
}

func unary(ctx context.Context, client *genai.Client) error {
	asked := genai.NewContentFromText("When is high tide in Whitby?", genai.RoleUser)
	config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{
		Name:        "get_tide",
		Description: "The next high tide at a harbour.",
		Parameters: &genai.Schema{
			Type:       genai.TypeObject,
			Properties: map[string]*genai.Schema{"harbour": {Type: genai.TypeString}},
			Required:   []string{"harbour"},
		},
	}}}}}
	const model = "gemini-3-pro-preview"
	called, err := client.Models.GenerateContent(ctx, model, []*genai.Content{asked}, config)
	if err != nil {
		return err
	}
	tell(called.Candidates)
	call := called.FunctionCalls()[0]
	answer := &genai.Part{FunctionResponse: &genai.FunctionResponse{
		ID: call.ID, Name: call.Name, Response: map[string]any{"time": "16:42", "height_m": 5.4},
	}}
	contents := []*genai.Content{asked, called.Candidates[0].Content, {Role: genai.RoleUser, Parts: []*genai.Part{answer}}}
	told, err := client.Models.GenerateContent(ctx, model, contents, config)
	if err != nil {
		return err
	}
	tell(told.Candidates)
	return nil
}

func stream(ctx context.Context, client *genai.Client) error {
	config := &genai.GenerateContentConfig{Temperature: genai.Ptr[float32](0.5), MaxOutputTokens: 64}
	for chunk, err := range client.Models.GenerateContentStream(ctx, "gemini-2.5-flash", genai.Text("Why is the sea salty?"), config) {
		if err != nil {
			return err
		}
		tell(chunk.Candidates)
	}
	return nil
}

// interact asks what a function call answers, and answers the call.
func interact(ctx context.Context, client *genai.Client) error {
	const question = "When is high tide in Whitby?"
	call := &interactions.FunctionCallStep{}
	thought := &interactions.ThoughtStep{}
	arguments := ""
	err := create(ctx, client, interactions.NewInteractionsInput(question), func(event interactions.InteractionSSEEvent) {
		if event.StepStart != nil && event.StepStart.Step.FunctionCallStep != nil {
			call = event.StepStart.Step.FunctionCallStep
		}
		if event.StepDelta == nil {
			return
		}
		delta := event.StepDelta.Delta
		switch {
		case delta.ThoughtSummaryDelta != nil:
			summary := interactions.ThoughtSummaryContent{TextContent: delta.ThoughtSummaryDelta.Content.TextContent}
			thought.Summary = append(thought.Summary, summary)
		case delta.ThoughtSignatureDelta != nil:
			thought.Signature = delta.ThoughtSignatureDelta.Signature
		case delta.ArgumentsDelta != nil:
			arguments += *delta.ArgumentsDelta.Arguments
		}
	})
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(arguments), &call.Arguments); err != nil {
		return err
	}
	asked := interactions.UserInputStep{Content: []interactions.Content{{TextContent: &interactions.TextContent{Text: question}}}}
	result := interactions.FunctionResultStep{
		CallID: call.ID,
		Name:   &call.Name,
		// The SDK has no type for a result that is an object.
		Result: interactions.NewFunctionResultStepResultUnionUnknown(json.RawMessage(`{"time":"16:42","height_m":5.4}`)),
	}
	steps := []interactions.Step{
		{UserInputStep: &asked}, {ThoughtStep: thought}, {FunctionCallStep: call}, {FunctionResultStep: &result},
	}
	return create(ctx, client, interactions.NewInteractionsInput(steps), func(interactions.InteractionSSEEvent) {})
}

// create is one request for an interaction, streamed; each event of it is told and heard.
func create(ctx context.Context, client *genai.Client, input interactions.InteractionsInput, hear func(interactions.InteractionSSEEvent)) error {
	name, description := "get_tide", "The next high tide at a harbour."
	summaries := interactions.ThinkingSummariesAuto
	answer, err := client.Interactions.Create(ctx, operations.CreateInteractionRequest{
		Body: operations.NewCreateInteractionRequestBody(interactions.CreateModelInteraction{
			Model:            "gemini-3-flash-preview",
			Store:            genai.Ptr(false),
			Stream:           genai.Ptr(true),
			GenerationConfig: &interactions.GenerationConfig{ThinkingSummaries: &summaries},
			Tools: []interactions.Tool{{Function: &interactions.Function{
				Name:        &name,
				Description: &description,
				Parameters: map[string]any{
					"type": "object", "properties": map[string]any{"harbour": map[string]any{"type": "string"}}, "required": []string{"harbour"},
				},
			}}},
			Input: &input,
		}),
	})
	if err != nil {
		return err
	}
	events := answer.InteractionSSEStreamEvent
	defer events.Close()
	for events.Next() {
		tell(events.Value())
		hear(events.Value().Data)
	}
	return events.Err()
}

func live(ctx context.Context, client *genai.Client) error {
	session, err := client.Live.Connect(ctx, "gemini-live-2.5-flash-preview", &genai.LiveConnectConfig{
		ResponseModalities: []genai.Modality{genai.ModalityText}, Temperature: genai.Ptr[float32](0.5),
	})
	if err != nil {
		return err
	}
	defer session.Close()
	asked := genai.NewContentFromText("Who kept the light at Flamborough?", genai.RoleUser)
	if err := session.SendClientContent(genai.LiveClientContentInput{Turns: []*genai.Content{asked}, TurnComplete: genai.Ptr(true)}); err != nil {
		return err
	}
	for {
		message, err := session.Receive()
		if err != nil {
			return err
		}
		tell(message)
		if content := message.ServerContent; content != nil && content.TurnComplete {
			return nil
		}
	}
}

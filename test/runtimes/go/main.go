// Talks to the API by the official SDK, set up by its environment alone, and prints what it got, a JSON value a line.
//
// Usage: sdk unary | stream | live
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"google.golang.org/genai"
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
	calls := map[string]func(context.Context, *genai.Client) error{"unary": unary, "stream": stream, "live": live}
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

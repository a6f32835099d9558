package main

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/gorilla/websocket"
	"google.golang.org/genai"
	"wiretape.invalid/matrix"
)

// liveApp is what an app keeps of Live connections, where its SDK keeps nothing.
type liveApp struct {
	*acting
	session *genai.Session
	// The newest handle of the session.
	handle string
	// What was said, in texts.
	history []*genai.Content
	// What the model is saying.
	saying string
	// The calls that were taken back.
	cancelled []string
}

// live is the app's connections, one after another.
func (a *acting) live(ctx context.Context) {
	app := &liveApp{acting: a}
	for _, turns := range a.scenario.Conversations {
		a.transcript.Begin()
		a.raised(app.connect(ctx, turns))
		app.close()
	}
}

// connect is one connection, from the setup to what comes when the app is about to hang up.
func (app *liveApp) connect(ctx context.Context, turns []matrix.Turn) error {
	session, err := app.client.Live.Connect(ctx, app.scenario.Model, app.config())
	if err != nil {
		return err
	}
	app.session = session
	messages := matrix.Arrivals(received(session))
	if len(app.history) > 0 && app.handle == "" {
		before := genai.LiveClientContentInput{Turns: app.history, TurnComplete: genai.Ptr(false)}
		if err := session.SendClientContent(before); err != nil {
			return err
		}
	}
	for _, turn := range turns {
		if err := app.send(turn); err != nil {
			return err
		}
		for over := false; !over; {
			message, err := matrix.Next(messages, matrix.LivePatience)
			if err != nil {
				return err
			}
			if over, err = app.hear(message); err != nil {
				return err
			}
		}
	}
	for {
		message, err := matrix.Next(messages, matrix.Quiet)
		if errors.Is(err, matrix.Silence{}) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := app.hear(message); err != nil {
			return err
		}
	}
}

// close hangs up.
func (app *liveApp) close() {
	app.finish()
	if app.session != nil {
		app.session.Close()
		app.session = nil
	}
}

// received is what a connection brings, up to the error that ends it.
func received(session *genai.Session) iter.Seq2[*genai.LiveServerMessage, error] {
	return func(yield func(*genai.LiveServerMessage, error) bool) {
		for {
			message, err := session.Receive()
			if !yield(message, err) || err != nil {
				return
			}
		}
	}
}

func (app *liveApp) config() *genai.LiveConnectConfig {
	config := &genai.LiveConnectConfig{
		ResponseModalities: []genai.Modality{genai.ModalityText},
		SystemInstruction:  app.instruction(),
		Tools:              app.tools(),
	}
	if app.scenario.Audio {
		config.ResponseModalities = []genai.Modality{genai.ModalityAudio}
		config.InputAudioTranscription = &genai.AudioTranscriptionConfig{}
		config.OutputAudioTranscription = &genai.AudioTranscriptionConfig{}
	}
	if app.scenario.Resumption {
		config.SessionResumption = &genai.SessionResumptionConfig{Handle: app.handle}
	}
	if app.scenario.ThinkingSummaries {
		config.ThinkingConfig = &genai.ThinkingConfig{IncludeThoughts: true}
	}
	return config
}

// send is one turn of the user, in the way that the scenario says.
func (app *liveApp) send(turn matrix.Turn) error {
	said := genai.NewContentFromParts(parts(turn), genai.RoleUser)
	switch turn.How {
	case "audio":
		return app.session.SendRealtimeInput(genai.LiveRealtimeInput{Audio: said.Parts[0].InlineData})
	case "realtime-text":
		app.history = append(app.history, said)
		return app.session.SendRealtimeInput(genai.LiveRealtimeInput{Text: said.Parts[0].Text})
	}
	app.history = append(app.history, said)
	return app.session.SendClientContent(genai.LiveClientContentInput{Turns: []*genai.Content{said}, TurnComplete: genai.Ptr(true)})
}

// hear takes one message, and answers the calls in it; true: the turn is over.
func (app *liveApp) hear(message *genai.LiveServerMessage) (bool, error) {
	app.transcript.Saw(app.message(message))
	if update := message.SessionResumptionUpdate; update != nil && update.NewHandle != "" {
		app.handle = update.NewHandle
	}
	if taken := message.ToolCallCancellation; taken != nil {
		app.cancelled = append(app.cancelled, taken.IDs...)
	}
	if message.ToolCall != nil {
		if err := app.answer(message.ToolCall.FunctionCalls); err != nil {
			return false, err
		}
	}
	content := message.ServerContent
	if content == nil {
		return false, nil
	}
	if content.ModelTurn != nil {
		for _, part := range content.ModelTurn.Parts {
			if !part.Thought {
				app.saying += part.Text
			}
		}
	}
	if content.TurnComplete {
		app.finish()
	}
	return content.TurnComplete, nil
}

// finish keeps what the model said.
func (app *liveApp) finish() {
	if app.saying != "" {
		app.history = append(app.history, genai.NewContentFromText(app.saying, genai.RoleModel))
	}
	app.saying = ""
}

func (app *liveApp) answer(calls []*genai.FunctionCall) error {
	var responses []*genai.FunctionResponse
	for _, call := range calls {
		if !slices.Contains(app.cancelled, call.ID) {
			result := app.box.Run(call.Name, call.Args, call.ID)
			responses = append(responses, &genai.FunctionResponse{ID: call.ID, Name: call.Name, Response: result})
		}
	}
	if responses == nil {
		return nil
	}
	return app.session.SendToolResponse(genai.LiveToolResponseInput{FunctionResponses: responses})
}

// message is a message of the service as an event.
func (app *liveApp) message(message *genai.LiveServerMessage) matrix.Event {
	told := matrix.Event{Author: "model", Parts: []map[string]any{}}
	if content := message.ServerContent; content != nil {
		told.Interrupted, told.TurnComplete = content.Interrupted, content.TurnComplete
		if content.ModelTurn != nil {
			told.Parts = app.transcript.Parts(content.ModelTurn.Parts)
		}
		if content.InputTranscription != nil {
			told.InputTranscription = content.InputTranscription
		}
		if content.OutputTranscription != nil {
			told.OutputTranscription = content.OutputTranscription
		}
	}
	if message.ToolCall != nil {
		for _, call := range message.ToolCall.FunctionCalls {
			told.Parts = append(told.Parts, app.transcript.Parts([]*genai.Part{{FunctionCall: call}})...)
		}
	}
	if message.UsageMetadata != nil {
		told.Usage = message.UsageMetadata
	}
	return told
}

// closeCode is the code that the service closed the connection with, if that is what was raised.
func closeCode(err error) any {
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		return closed.Code
	}
	return nil
}

package main

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/gorilla/websocket"
	"google.golang.org/genai"
	"wiretape.invalid/matrix"
)

// toolTime is how long a tool takes: a call may be taken back meanwhile.
const toolTime = 20 * time.Millisecond

// liveApp is what an app keeps of Live connections, where its SDK keeps nothing.
type liveApp struct {
	*acting
	session  *genai.Session
	messages <-chan matrix.Arrival[*genai.LiveServerMessage]
	// What was said, in texts.
	history []*genai.Content
	// What the user was heard to say aloud, what the model says, and what it was heard to say.
	heard, saying, spoken string
	// The calls that are to be answered.
	calls []*genai.FunctionCall
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
	app.session, app.messages, app.calls = session, matrix.Arrivals(received(session)), nil
	if len(app.history) > 0 {
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
			if over, err = app.hear(matrix.LivePatience); err != nil {
				return err
			}
		}
	}
	for err == nil {
		_, err = app.hear(matrix.Quiet)
	}
	if errors.Is(err, matrix.Silence{}) {
		return nil
	}
	return err
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
		config.SessionResumption = &genai.SessionResumptionConfig{}
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

// hear takes one message; true: the turn is over.
func (app *liveApp) hear(patience time.Duration) (bool, error) {
	if len(app.calls) > 0 {
		patience = toolTime
	}
	message, err := matrix.Next(app.messages, patience)
	if errors.Is(err, matrix.Silence{}) && len(app.calls) > 0 {
		return false, app.answer()
	}
	if err != nil {
		return false, err
	}
	app.transcript.Saw(app.message(message))
	if message.ToolCall != nil {
		app.calls = append(app.calls, message.ToolCall.FunctionCalls...)
	}
	if taken := message.ToolCallCancellation; taken != nil {
		app.calls = slices.DeleteFunc(app.calls, func(call *genai.FunctionCall) bool { return slices.Contains(taken.IDs, call.ID) })
	}
	if message.ServerContent == nil {
		return false, nil
	}
	app.note(message.ServerContent)
	if message.ServerContent.TurnComplete {
		app.finish()
	}
	return message.ServerContent.TurnComplete, nil
}

// note remembers what is being said.
func (app *liveApp) note(content *genai.LiveServerContent) {
	if content.InputTranscription != nil {
		app.heard += content.InputTranscription.Text
	}
	if content.OutputTranscription != nil {
		app.spoken += content.OutputTranscription.Text
	}
	if content.ModelTurn == nil {
		return
	}
	for _, part := range content.ModelTurn.Parts {
		if !part.Thought {
			app.saying += part.Text
		}
	}
}

// finish keeps what was said. What was said aloud has no other text than its transcription.
func (app *liveApp) finish() {
	if app.heard != "" {
		app.history = append(app.history, genai.NewContentFromText(app.heard, genai.RoleUser))
	}
	if said := cmp.Or(app.saying, app.spoken); said != "" {
		app.history = append(app.history, genai.NewContentFromText(said, genai.RoleModel))
	}
	app.heard, app.saying, app.spoken = "", "", ""
}

// answer runs the tools.
func (app *liveApp) answer() error {
	var responses []*genai.FunctionResponse
	for _, call := range app.calls {
		result := app.box.Run(call.Name, call.Args, call.ID)
		responses = append(responses, &genai.FunctionResponse{ID: call.ID, Name: call.Name, Response: result})
	}
	app.calls = nil
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

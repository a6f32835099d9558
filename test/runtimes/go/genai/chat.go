package main

import (
	"cmp"
	"context"

	"google.golang.org/genai"
	"wiretape.invalid/matrix"
)

// chat is generate-content by the SDK's own chats, streamed or not.
func (a *acting) chat(ctx context.Context) {
	var chat *genai.Chat
	var history []*genai.Content
	for number, turn := range a.scenario.Conversations[0] {
		a.transcript.Begin()
		if chat == nil || a.scenario.ModelOf(number) != a.scenario.ModelOf(number-1) {
			made, err := a.client.Chats.Create(ctx, a.scenario.ModelOf(number), a.config(), history)
			if err != nil {
				a.raised(err)
				continue
			}
			chat = made
		}
		a.take(ctx, chat, turn)
		history = chat.History(false)
	}
	a.transcript.Session = []matrix.Event{}
	for _, content := range history {
		a.transcript.Session = append(a.transcript.Session, matrix.Event{Author: cmp.Or(content.Role, genai.RoleModel), Parts: a.transcript.Parts(content.Parts)})
	}
}

// config is what the model is asked with, besides the conversation.
func (a *acting) config() *genai.GenerateContentConfig {
	config := &genai.GenerateContentConfig{SystemInstruction: a.instruction(), Tools: a.tools()}
	if a.scenario.ThinkingSummaries {
		config.ThinkingConfig = &genai.ThinkingConfig{IncludeThoughts: true}
	}
	if a.scenario.StreamArguments {
		calling := &genai.FunctionCallingConfig{StreamFunctionCallArguments: genai.Ptr(true)}
		config.ToolConfig = &genai.ToolConfig{FunctionCallingConfig: calling}
	}
	return config
}

// take is one turn of the user, with the rounds of tools in it.
func (a *acting) take(ctx context.Context, chat *genai.Chat, turn matrix.Turn) {
	said := parts(turn)
	for range matrix.MostRounds {
		calls, whole := a.send(ctx, chat, said)
		if !whole || len(calls) == 0 {
			return
		}
		said = nil
		for _, call := range calls {
			result := a.box.Run(call.Name, call.Args, call.ID)
			said = append(said, &genai.Part{FunctionResponse: &genai.FunctionResponse{ID: call.ID, Name: call.Name, Response: result}})
		}
	}
}

// send is one message to the chat: the calls in what comes back, and whether all of it came.
func (a *acting) send(ctx context.Context, chat *genai.Chat, said []*genai.Part) ([]*genai.FunctionCall, bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	all := chat.SendStream(ctx, said...)
	if !a.scenario.Streaming {
		all = func(yield func(*genai.GenerateContentResponse, error) bool) { yield(chat.Send(ctx, said...)) }
	}
	responses := matrix.Arrivals(all)
	var calls []*genai.FunctionCall
	for {
		response, err := matrix.Next(responses, matrix.HTTPPatience)
		if err != nil {
			a.raised(err)
			return calls, matrix.IsEnd(err)
		}
		a.transcript.Saw(a.told(response))
		for _, call := range response.FunctionCalls() {
			// A call that comes in pieces the SDK leaves in pieces.
			if call.Name != "" && !isTrue(call.WillContinue) && len(call.PartialArgs) == 0 {
				calls = append(calls, call)
			}
		}
	}
}

func isTrue(mark *bool) bool { return mark != nil && *mark }

// told is a response, or a chunk of one, as an event.
func (a *acting) told(response *genai.GenerateContentResponse) matrix.Event {
	told := matrix.Event{Author: "model", Parts: []map[string]any{}}
	if len(response.Candidates) > 0 {
		candidate := response.Candidates[0]
		told.FinishReason = string(candidate.FinishReason)
		if candidate.Content != nil {
			told.Parts = a.transcript.Parts(candidate.Content.Parts)
		}
	}
	if blocked := response.PromptFeedback; blocked != nil {
		told.ErrorCode, told.ErrorMessage = string(blocked.BlockReason), blocked.BlockReasonMessage
	}
	if response.UsageMetadata != nil {
		told.Usage = response.UsageMetadata
	}
	return told
}

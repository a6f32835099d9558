package main

import (
	"context"
	"encoding/json"
	"iter"
	"slices"

	"google.golang.org/genai/interactions/models/interactions"
	"google.golang.org/genai/interactions/models/operations"
	"wiretape.invalid/matrix"
)

// begun is a step that has begun, and the pieces of its arguments.
type begun struct {
	step   interactions.Step
	pieces string
}

// answer is one answer of the service: the calls in it, its id. Pieces of a call are put together by their index.
type answer struct {
	*acting
	id    string
	steps map[int]*begun
	calls []call
}

// ask is one request; true: all of the answer came.
func (a *answer) ask(ctx context.Context, body operations.CreateInteractionRequestBody) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	came := matrix.Arrivals(a.events(ctx, body))
	for {
		take, err := matrix.Next(came, matrix.HTTPPatience)
		if err != nil {
			a.raised(err)
			return matrix.IsEnd(err)
		}
		take()
	}
}

// events is what comes, each as what is to be done with it.
func (a *answer) events(ctx context.Context, body operations.CreateInteractionRequestBody) iter.Seq2[func(), error] {
	return func(yield func(func(), error) bool) {
		got, err := a.client.Interactions.Create(ctx, operations.CreateInteractionRequest{Body: body})
		if err != nil {
			yield(nil, err)
			return
		}
		if got.Interaction != nil {
			yield(func() { a.whole(got.Interaction) }, nil)
			return
		}
		events := got.InteractionSSEStreamEvent
		for events.Next() {
			event := events.Value().Data
			if !yield(func() { a.take(event) }, nil) {
				return
			}
		}
		if err := events.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// take is one event of a stream.
func (a *answer) take(event interactions.InteractionSSEEvent) {
	switch {
	case event.InteractionCreatedEvent != nil:
		a.named(event.InteractionCreatedEvent.Interaction.ID)
	case event.StepStart != nil:
		step := event.StepStart.Step
		a.steps[int(event.StepStart.Index)] = &begun{step: step}
		if step.FunctionCallStep == nil {
			a.show(stepParts(step))
		}
	case event.StepDelta != nil:
		a.delta(int(event.StepDelta.Index), event.StepDelta.Delta)
	case event.StepStop != nil:
		a.stop(a.steps[int(event.StepStop.Index)])
	case event.InteractionCompletedEvent != nil:
		over := event.InteractionCompletedEvent.Interaction
		a.named(over.ID)
		a.over(nil, string(over.Status), over.Usage)
	case event.ErrorEvent != nil:
		told := matrix.Event{Author: "model", Parts: []map[string]any{}}
		if failure := event.ErrorEvent.Error; failure != nil {
			told.ErrorCode, told.ErrorMessage = or(failure.Code), or(failure.Message)
		}
		a.transcript.Saw(told)
	}
}

func or(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func (a *answer) named(id string) {
	if id != "" {
		a.id = id
	}
}

// delta is a piece of a step, which may say something by itself.
func (a *answer) delta(index int, delta interactions.StepDeltaData) {
	switch {
	case delta.ArgumentsDelta != nil:
		if open := a.steps[index]; open != nil {
			open.pieces += or(delta.ArgumentsDelta.Arguments)
		}
	case delta.TextDelta != nil:
		a.show([]map[string]any{{"text": delta.TextDelta.Text}})
	case delta.ThoughtSummaryDelta != nil:
		said := delta.ThoughtSummaryDelta.Content
		if said != nil && said.TextContent != nil {
			a.show([]map[string]any{{"text": said.TextContent.Text, "thought": true}})
		}
	case delta.ThoughtSignatureDelta != nil:
		a.show([]map[string]any{signed("", delta.ThoughtSignatureDelta.Signature)})
	}
}

// stop shows a call when it is whole.
func (a *answer) stop(open *begun) {
	if open == nil || open.step.FunctionCallStep == nil {
		return
	}
	step := open.step.FunctionCallStep
	if open.pieces != "" {
		// Pieces that make no JSON leave the arguments that the step began with.
		_ = json.Unmarshal([]byte(open.pieces), &step.Arguments)
	}
	a.calls = append(a.calls, call{step.ID, step.Name, step.Arguments})
	a.show(stepParts(open.step))
}

// whole is a unary answer.
func (a *answer) whole(interaction *interactions.Interaction) {
	a.named(or(interaction.ID))
	parts := []map[string]any{}
	for _, step := range interaction.Steps {
		parts = append(parts, stepParts(step)...)
		if made := step.FunctionCallStep; made != nil {
			a.calls = append(a.calls, call{made.ID, made.Name, made.Arguments})
		}
	}
	a.over(parts, string(interaction.Status), interaction.Usage)
}

// over is how an interaction ended, with its parts if it came whole.
func (a *answer) over(parts []map[string]any, status string, usage *interactions.Usage) {
	told := matrix.Event{Author: "model", Parts: append([]map[string]any{}, parts...), InteractionID: a.id}
	if usage != nil {
		told.Usage = usage
	}
	if !slices.Contains([]string{"completed", "requires_action", "in_progress"}, status) {
		told.ErrorCode = status
	}
	a.transcript.Saw(told)
}

func (a *answer) show(parts []map[string]any) {
	if len(parts) > 0 {
		a.transcript.Saw(matrix.Event{Author: "model", Parts: parts})
	}
}

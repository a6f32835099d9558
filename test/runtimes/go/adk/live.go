package main

import (
	"context"
	"errors"
	"time"

	"github.com/gorilla/websocket"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"
	"wiretape.invalid/matrix"
)

// farewell is how long a runtime that was told to hang up may take.
const farewell = time.Second

// connect is one Live connection of the app's, from the setup to its hanging up.
func (a *acting) connect(ctx context.Context, turns []matrix.Turn) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a.transcript.Begin()
	live, all, err := a.runner(ctx, a.scenario.Model).RunLive(ctx, user, sessionID, a.liveConfig())
	if err != nil {
		a.raised(err)
		return
	}
	events := matrix.Arrivals(all)
	open := true
	for _, turn := range turns {
		if open {
			// It waits until the connection is there, which may be never.
			go live.Send(request(turn))
			open = a.hear(events)
		}
	}
	for open && a.linger(events, matrix.Quiet) {
	}
	live.Close()
	for open && a.linger(events, farewell) {
	}
}

func (a *acting) liveConfig() agent.LiveRunConfig {
	config := agent.LiveRunConfig{ResponseModalities: []genai.Modality{genai.ModalityText}, SaveLiveBlob: a.scenario.SaveLiveBlob}
	if a.scenario.Audio {
		config.ResponseModalities = []genai.Modality{genai.ModalityAudio}
		config.InputAudioTranscription = &genai.AudioTranscriptionConfig{}
		config.OutputAudioTranscription = &genai.AudioTranscriptionConfig{}
	}
	if a.scenario.Resumption {
		config.SessionResumption = &genai.SessionResumptionConfig{}
	}
	return config
}

// request is what the app sends for a turn. Text goes the way that the runtime chooses for it.
func request(turn matrix.Turn) agent.LiveRequest {
	said := content(turn)
	if turn.How == "audio" {
		return agent.LiveRequest{RealtimeInput: said.Parts[0].InlineData}
	}
	return agent.LiveRequest{Content: said}
}

// hear takes what comes until the turn is complete; false: there is no more on this connection.
func (a *acting) hear(events <-chan matrix.Arrival[*session.Event]) bool {
	for {
		event, err := matrix.Next(events, matrix.LivePatience)
		a.raised(err)
		if event != nil {
			a.transcript.Saw(a.told(event))
		}
		if matrix.IsEnd(err) || errors.Is(err, matrix.Silence{}) {
			return false
		}
		if event != nil && event.TurnComplete {
			return true
		}
	}
}

// linger takes one thing that comes behind the turns; false: nothing more does.
func (a *acting) linger(events <-chan matrix.Arrival[*session.Event], patience time.Duration) bool {
	event, err := matrix.Next(events, patience)
	if matrix.IsEnd(err) || errors.Is(err, matrix.Silence{}) {
		return false
	}
	a.raised(err)
	if event != nil {
		a.transcript.Saw(a.told(event))
	}
	return true
}

// closeCode is the code that the service closed the connection with, if that is what was raised.
func closeCode(err error) any {
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		return closed.Code
	}
	return nil
}

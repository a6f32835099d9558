// What an app may do with a client. Each test names the cassette that it is answered from.
package answers

import (
	"testing"

	"example.com/answers/wiretape"
	"google.golang.org/genai"
)

const model = "gemini-2.5-flash"

func TestGreeting(t *testing.T) {
	client := wiretape.Client(t, "greeting")
	answer, err := client.Models.GenerateContent(t.Context(), model, genai.Text("Say hello."), nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := answer.Text(); text != "Hello there." {
		t.Errorf("the answer is %q", text)
	}
}

func TestStory(t *testing.T) {
	client := wiretape.Client(t, "story")
	text := ""
	for chunk, err := range client.Models.GenerateContentStream(t.Context(), model, genai.Text("Tell me a story."), nil) {
		if err != nil {
			t.Fatal(err)
		}
		text += chunk.Text()
	}
	if text != "The light went out, and came back." {
		t.Errorf("the story is %q", text)
	}
}

func TestTalk(t *testing.T) {
	session := connect(t, "talk")
	turn := genai.Text("Who keeps the light?")
	if err := session.SendClientContent(genai.LiveClientContentInput{Turns: turn}); err != nil {
		t.Fatal(err)
	}
	text := ""
	for {
		message, err := session.Receive()
		if err != nil {
			t.Fatal(err)
		}
		content := message.ServerContent
		if content != nil && content.ModelTurn != nil {
			text += content.ModelTurn.Parts[0].Text
		}
		if content != nil && content.TurnComplete {
			break
		}
	}
	if text != "Nobody, since 1996." {
		t.Errorf("the answer is %q", text)
	}
}

func connect(t *testing.T, cassette string) *genai.Session {
	t.Helper()
	config := &genai.LiveConnectConfig{ResponseModalities: []genai.Modality{genai.ModalityText}}
	session, err := wiretape.LiveClient(t, cassette).Live.Connect(t.Context(), "gemini-live-2.5-flash-preview", config)
	if err != nil {
		t.Fatal(err)
	}
	// Runs before the verdict is asked for.
	t.Cleanup(func() { session.Close() })
	return session
}

func TestEachRunIsAReplayOfItsOwn(t *testing.T) {
	for range 2 {
		t.Run("greeting", func(t *testing.T) {
			t.Parallel()
			TestGreeting(t)
		})
	}
}

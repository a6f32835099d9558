// Tests that assert nothing, of apps that leave their recording: each must fail all the same, with its reason.
package answers

import (
	"testing"

	"example.com/answers/wiretape"
	"google.golang.org/genai"
)

// ask swallows what goes wrong, as apps do.
func ask(t *testing.T, client *genai.Client, text string) {
	_, _ = client.Models.GenerateContent(t.Context(), model, genai.Text(text), nil)
}

func TestChangedRequest(t *testing.T) {
	ask(t, wiretape.Client(t, "greeting"), "Say goodbye.")
}

func TestDroppedMessage(t *testing.T) {
	connect(t, "talk")
}

func TestRequestTooMany(t *testing.T) {
	client := wiretape.Client(t, "greeting")
	ask(t, client, "Say hello.")
	ask(t, client, "Say hello.")
}

func TestAbandonedStream(t *testing.T) {
	for range wiretape.Client(t, "story").Models.GenerateContentStream(t.Context(), model, genai.Text("Tell me a story."), nil) {
		break
	}
}

func TestFaithful(t *testing.T) {
	ask(t, wiretape.Client(t, "greeting"), "Say hello.")
}

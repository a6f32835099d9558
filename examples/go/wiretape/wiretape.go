// Package wiretape gives a test a client that is answered from a cassette, and fails the test if its app asks for
// anything else, or for less.
//
// Run the suite with:
//
//	npx wiretape replay cassettes -- go test -count=1 ./...
//
// Without that its client is made from the environment, so that the cassette of one test is recorded with:
//
//	npx wiretape record cassettes/greeting.cassette.yaml -- go test -count=1 -run 'TestGreeting$' .
package wiretape

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"google.golang.org/genai"
)

// Client is answered from the cassette of this name.
func Client(t testing.TB, cassette string) *genai.Client {
	t.Helper()
	return client(t, BaseURL(t, cassette))
}

// LiveClient is the same for Live: the SDK speaks plain WebSocket only to a base URL that says so.
func LiveClient(t testing.TB, cassette string) *genai.Client {
	t.Helper()
	return client(t, strings.Replace(BaseURL(t, cassette), "http", "ws", 1))
}

func client(t testing.TB, baseURL string) *genai.Client {
	t.Helper()
	config := &genai.ClientConfig{
		Backend:     genai.BackendGeminiAPI,
		HTTPOptions: genai.HTTPOptions{BaseURL: baseURL},
	}
	// Otherwise the key is the one of the environment.
	if os.Getenv("WIRETAPE_URL") != "" {
		config.APIKey = "none"
	}
	client, err := genai.NewClient(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// BaseURL is where the cassette of this name answers as if it were the service. Each call begins a replay of its
// own, however many go on at once, and its verdict is asked for when the test ends. Where nothing is replayed it is
// what the environment says: where `wiretape record` listens, or empty for the service itself.
func BaseURL(t testing.TB, cassette string) string {
	t.Helper()
	root := os.Getenv("WIRETAPE_URL")
	if root == "" {
		return os.Getenv("GOOGLE_GEMINI_BASE_URL")
	}
	run := cassette + "@" + rand.Text()[:8]
	t.Cleanup(func() {
		answer, err := http.Get(root + "/__wiretape__/" + run)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		var verdict struct {
			OK      bool
			Message string
		}
		if err := json.NewDecoder(answer.Body).Decode(&verdict); err != nil {
			t.Fatal(err)
		}
		if !verdict.OK {
			t.Error(verdict.Message)
		}
	})
	return root + "/t/" + run
}

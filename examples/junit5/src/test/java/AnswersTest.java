import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.genai.Client;
import com.google.genai.ResponseStream;
import com.google.genai.types.GenerateContentResponse;
import com.google.genai.types.HttpOptions;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an app may do with a client. Each test is answered from the cassette of its own name. */
@ExtendWith(WiretapeExtension.class)
class AnswersTest {
  static final String MODEL = "gemini-2.5-flash";

  static Client client(WiretapeExtension.Tape tape) {
    if (!tape.isReplayed) return new Client();
    HttpOptions options = HttpOptions.builder().baseUrl(tape.baseUrl).build();
    return Client.builder().apiKey("none").httpOptions(options).build();
  }

  @Test
  void greeting(WiretapeExtension.Tape tape) {
    try (Client client = client(tape)) {
      assertEquals("Hello there.", client.models.generateContent(MODEL, "Say hello.", null).text());
    }
  }

  @Test
  void story(WiretapeExtension.Tape tape) {
    StringBuilder text = new StringBuilder();
    try (Client client = client(tape);
        ResponseStream<GenerateContentResponse> stream =
            client.models.generateContentStream(MODEL, "Tell me a story.", null)) {
      for (GenerateContentResponse chunk : stream) text.append(chunk.text());
    }
    assertEquals("The light went out, and came back.", text.toString());
  }

  @RepeatedTest(2)
  @WiretapeExtension.Cassette("greeting")
  void eachRunIsAReplayOfItsOwn(WiretapeExtension.Tape tape) {
    greeting(tape);
  }
}

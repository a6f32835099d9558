import com.google.genai.Client;
import com.google.genai.ResponseStream;
import com.google.genai.errors.ClientException;
import com.google.genai.types.GenerateContentResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that assert nothing, of apps that leave their recording: each must fail all the same, with its reason. */
@ExtendWith(WiretapeExtension.class)
class UnfaithfulTest {
  static void ask(Client client, String text) {
    try {
      client.models.generateContent(AnswersTest.MODEL, text, null);
    } catch (ClientException swallowed) {
      // As apps do.
    }
  }

  @Test
  @WiretapeExtension.Cassette("greeting")
  void changedRequest(WiretapeExtension.Tape tape) {
    try (Client client = AnswersTest.client(tape)) {
      ask(client, "Say goodbye.");
    }
  }

  @Test
  @WiretapeExtension.Cassette("greeting")
  void droppedMessage(WiretapeExtension.Tape tape) {}

  @Test
  @WiretapeExtension.Cassette("greeting")
  void requestTooMany(WiretapeExtension.Tape tape) {
    try (Client client = AnswersTest.client(tape)) {
      ask(client, "Say hello.");
      ask(client, "Say hello.");
    }
  }

  @Test
  @WiretapeExtension.Cassette("story")
  void abandonedStream(WiretapeExtension.Tape tape) {
    try (Client client = AnswersTest.client(tape);
        ResponseStream<GenerateContentResponse> stream =
            client.models.generateContentStream(AnswersTest.MODEL, "Tell me a story.", null)) {
      stream.iterator().next();
    }
  }

  @Test
  @WiretapeExtension.Cassette("greeting")
  void faithful(WiretapeExtension.Tape tape) {
    try (Client client = AnswersTest.client(tape)) {
      ask(client, "Say hello.");
    }
  }
}

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.genai.Chat;
import com.google.genai.ResponseStream;
import com.google.genai.types.*;
import java.util.*;

/** Generate-content by the SDK's own chats, streamed or not. */
final class GenaiChat {
  private final Genai acting;
  private final Scenario scenario;
  private final Transcript transcript;

  GenaiChat(Genai acting) {
    this.acting = acting;
    this.scenario = acting.scenario;
    this.transcript = acting.transcript;
  }

  void act() throws InterruptedException {
    Chat chat = null;
    List<Content> history = List.of();
    List<Scenario.Turn> turns = scenario.conversations().get(0);
    for (int number = 0; number < turns.size(); number++) {
      List<Content> said = new ArrayList<>();
      if (chat == null || !scenario.modelOf(number).equals(scenario.modelOf(number - 1))) {
        chat = acting.client.chats.create(scenario.modelOf(number), config());
        // A chat begins with no history: another model's goes with the first message.
        said.addAll(history);
      }
      said.add(turns.get(number).content());
      take(chat, said);
      history = history(chat, history);
    }
    transcript.session(history.stream().map(content -> transcript.event(content.role().orElse("model"), Optional.of(content))).toList());
  }

  /** What the chat has by now; what it had, where it won't say: a stream that broke is never over to it. */
  private List<Content> history(Chat chat, List<Content> before) {
    try {
      return chat.getHistory(false);
    } catch (RuntimeException refused) {
      transcript.note("The chat gives no history: " + refused.getMessage());
      return before;
    }
  }

  private GenerateContentConfig config() {
    GenerateContentConfig.Builder config = scenario.settings().tools(acting.tools());
    if (scenario.instruction() != null) config.systemInstruction(acting.instruction());
    return config.build();
  }

  /** One turn of the user, with the rounds of tools in it. */
  private void take(Chat chat, List<Content> said) throws InterruptedException {
    ArrayNode events = transcript.turn();
    for (int round = 0; round < Scenario.MOST_ROUNDS; round++) {
      List<FunctionCall> calls = new ArrayList<>();
      if (!send(chat, said, events, calls) || calls.isEmpty()) return;
      List<Part> answers = calls.stream().map(call -> Part.builder().functionResponse(acting.answer(call)).build()).toList();
      said = List.of(Content.builder().role("user").parts(answers).build());
    }
  }

  /** One message to the chat; true: all that comes back came. */
  private boolean send(Chat chat, List<Content> said, ArrayNode events, List<FunctionCall> calls) throws InterruptedException {
    Arrivals<GenerateContentResponse> arrivals = Arrivals.of(each -> {
      if (!scenario.streaming()) {
        each.accept(chat.sendMessage(said));
        return;
      }
      try (ResponseStream<GenerateContentResponse> stream = chat.sendMessageStream(said)) {
        for (GenerateContentResponse response : stream) each.accept(response);
      }
    });
    while (true) {
      Arrivals.Arrival<GenerateContentResponse> came = arrivals.next(Scenario.HTTP_PATIENCE_MS);
      if (came == null) transcript.raised(new Arrivals.Silence());
      else if (came.error() != null) transcript.raised(came.error());
      if (came == null || came.error() != null) return false;
      if (came.isEnd()) return true;
      events.add(told(came.value()));
      parts(came.value()).flatMap(part -> part.functionCall().stream()).filter(GenaiChat::isWhole).forEach(calls::add);
    }
  }

  private static java.util.stream.Stream<Part> parts(GenerateContentResponse response) {
    return candidate(response).flatMap(Candidate::content).flatMap(Content::parts).stream().flatMap(List::stream);
  }

  private static Optional<Candidate> candidate(GenerateContentResponse response) {
    return response.candidates().flatMap(all -> all.stream().findFirst());
  }

  /** A call that comes in pieces the SDK leaves in pieces. */
  private static boolean isWhole(FunctionCall call) {
    return call.name().isPresent() && !call.willContinue().orElse(false) && call.partialArgs().orElse(List.of()).isEmpty();
  }

  /** A response, or a chunk of one, as an event. */
  private ObjectNode told(GenerateContentResponse response) {
    ObjectNode told = transcript.event("model", candidate(response).flatMap(Candidate::content));
    Transcript.mark(told, "finishReason", candidate(response).flatMap(Candidate::finishReason));
    Transcript.mark(told, "errorCode", response.promptFeedback().flatMap(GenerateContentResponsePromptFeedback::blockReason));
    Transcript.mark(told, "errorMessage", response.promptFeedback().flatMap(GenerateContentResponsePromptFeedback::blockReasonMessage));
    Transcript.mark(told, "usage", response.usageMetadata());
    return told;
  }
}

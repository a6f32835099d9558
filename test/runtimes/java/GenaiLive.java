import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.genai.AsyncSession;
import com.google.genai.types.*;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Live by the SDK's own connection, and what an app keeps of it, where the SDK keeps nothing. */
final class GenaiLive {
  /** How long a tool takes: a call may be taken back meanwhile. */
  private static final long TOOL_MS = 20;

  private final Genai acting;
  private final Scenario scenario;
  private final Transcript transcript;
  /** What was said, in texts. */
  private final List<Content> history = new ArrayList<>();
  /** What the user was heard to say aloud, what the model says, and what it was heard to say. */
  private final StringBuilder heard = new StringBuilder();
  private final StringBuilder saying = new StringBuilder();
  private final StringBuilder spoken = new StringBuilder();
  /** The calls that are to be answered. */
  private final List<FunctionCall> calls = new ArrayList<>();

  GenaiLive(Genai acting) {
    this.acting = acting;
    this.scenario = acting.scenario;
    this.transcript = acting.transcript;
  }

  void act() {
    for (List<Scenario.Turn> turns : scenario.conversations()) {
      ArrayNode events = transcript.turn();
      try {
        AsyncSession session = done(acting.client.async.live.connect(scenario.model(), config()));
        converse(session, turns, events);
        finish();
        done(session.close());
      } catch (Exception raised) {
        finish();
        transcript.raised(raised);
      }
    }
  }

  /** What a future comes to, within the app's patience. */
  private static <T> T done(CompletableFuture<T> future) throws Exception {
    return future.get(Scenario.LIVE_PATIENCE_MS, TimeUnit.MILLISECONDS);
  }

  private LiveConnectConfig config() {
    LiveConnectConfig.Builder config = LiveConnectConfig.builder().responseModalities(scenario.audio() ? "AUDIO" : "TEXT").tools(acting.tools());
    if (scenario.instruction() != null) config.systemInstruction(acting.instruction());
    if (scenario.audio()) {
      config.inputAudioTranscription(AudioTranscriptionConfig.builder().build());
      config.outputAudioTranscription(AudioTranscriptionConfig.builder().build());
    }
    if (scenario.thinkingSummaries()) config.thinkingConfig(ThinkingConfig.builder().includeThoughts(true).build());
    if (scenario.resumption()) config.sessionResumption(SessionResumptionConfig.builder().build());
    return config.build();
  }

  /** All that is said on one connection. */
  private void converse(AsyncSession session, List<Scenario.Turn> turns, ArrayNode events) throws Exception {
    Arrivals<LiveServerMessage> arrivals = new Arrivals<>();
    done(session.receive(arrivals::value));
    if (!history.isEmpty()) {
      done(session.sendClientContent(LiveSendClientContentParameters.builder().turns(history).turnComplete(false).build()));
    }
    calls.clear();
    for (Scenario.Turn turn : turns) {
      send(session, turn);
      for (boolean over = false; !over; ) over = hear(session, arrivals, events, Scenario.LIVE_PATIENCE_MS);
    }
    try {
      while (true) hear(session, arrivals, events, Scenario.QUIET_MS);
    } catch (Arrivals.Silence quiet) {
      // As it should be.
    }
  }

  /** One turn of the user, in the way that the scenario says. */
  private void send(AsyncSession session, Scenario.Turn turn) throws Exception {
    LiveSendRealtimeInputParameters.Builder input = LiveSendRealtimeInputParameters.builder();
    switch (turn.how()) {
      case "audio" -> done(session.sendRealtimeInput(input.audio(turn.sound()).build()));
      case "realtime-text" -> {
        history.add(turn.content());
        done(session.sendRealtimeInput(input.text(turn.content().text()).build()));
      }
      default -> {
        history.add(turn.content());
        done(session.sendClientContent(LiveSendClientContentParameters.builder().turns(turn.content()).turnComplete(true).build()));
      }
    }
  }

  /** One message, or the answer to calls that came before; true: the turn is over. */
  private boolean hear(AsyncSession session, Arrivals<LiveServerMessage> arrivals, ArrayNode events, long patience) throws Exception {
    Arrivals.Arrival<LiveServerMessage> came = arrivals.next(calls.isEmpty() ? patience : TOOL_MS);
    if (came == null && calls.isEmpty()) throw new Arrivals.Silence();
    if (came == null) {
      answer(session);
      return false;
    }
    LiveServerMessage message = came.value();
    events.add(told(message));
    calls.addAll(message.toolCall().flatMap(LiveServerToolCall::functionCalls).orElse(List.of()));
    List<String> cancelled = message.toolCallCancellation().flatMap(LiveServerToolCallCancellation::ids).orElse(List.of());
    calls.removeIf(call -> cancelled.contains(call.id().orElse("")));
    message.serverContent().ifPresent(this::note);
    boolean over = message.serverContent().flatMap(LiveServerContent::turnComplete).orElse(false);
    if (over) finish();
    return over;
  }

  /** Remembers what is being said. */
  private void note(LiveServerContent content) {
    content.inputTranscription().flatMap(Transcription::text).ifPresent(heard::append);
    content.outputTranscription().flatMap(Transcription::text).ifPresent(spoken::append);
    content.modelTurn().flatMap(Content::parts).orElse(List.of()).stream()
        .filter(part -> !part.thought().orElse(false)).forEach(part -> saying.append(part.text().orElse("")));
  }

  /** Keeps what was said. What was said aloud has no other text than its transcription. */
  private void finish() {
    keep("user", heard);
    keep("model", saying.isEmpty() ? spoken : saying);
    for (StringBuilder said : List.of(heard, saying, spoken)) said.setLength(0);
  }

  private void keep(String role, StringBuilder said) {
    if (!said.isEmpty()) history.add(Content.builder().role(role).parts(Part.fromText(said.toString())).build());
  }

  /** Runs the tools. */
  private void answer(AsyncSession session) throws Exception {
    List<FunctionResponse> responses = calls.stream().map(acting::answer).toList();
    calls.clear();
    done(session.sendToolResponse(LiveSendToolResponseParameters.builder().functionResponses(responses).build()));
  }

  /** A message of the service as an event. */
  private ObjectNode told(LiveServerMessage message) {
    Optional<LiveServerContent> said = message.serverContent();
    List<Part> parts = new ArrayList<>(said.flatMap(LiveServerContent::modelTurn).flatMap(Content::parts).orElse(List.of()));
    for (FunctionCall call : message.toolCall().flatMap(LiveServerToolCall::functionCalls).orElse(List.of())) {
      parts.add(Part.builder().functionCall(call).build());
    }
    ObjectNode told = transcript.event("model", Optional.of(Content.builder().parts(parts).build()));
    Transcript.mark(told, "interrupted", said.flatMap(LiveServerContent::interrupted));
    Transcript.mark(told, "turnComplete", said.flatMap(LiveServerContent::turnComplete));
    Transcript.mark(told, "inputTranscription", said.flatMap(LiveServerContent::inputTranscription));
    Transcript.mark(told, "outputTranscription", said.flatMap(LiveServerContent::outputTranscription));
    Transcript.mark(told, "usage", message.usageMetadata());
    return told;
  }
}

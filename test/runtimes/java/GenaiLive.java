import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.genai.AsyncSession;
import com.google.genai.types.*;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Live by the SDK's own connection, and what an app keeps of it, where the SDK keeps nothing. */
final class GenaiLive {
  private final Genai acting;
  private final Scenario scenario;
  private final Transcript transcript;
  /** What was said, in texts. */
  private final List<Content> history = new ArrayList<>();
  /** What the model is saying. */
  private final StringBuilder saying = new StringBuilder();
  /** The calls that were taken back. */
  private final Set<String> cancelled = new HashSet<>();
  /** The newest handle of the session, if there is one. */
  private String handle;

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
    if (scenario.resumption()) {
      SessionResumptionConfig.Builder resumption = SessionResumptionConfig.builder();
      if (handle != null) resumption.handle(handle);
      config.sessionResumption(resumption.build());
    }
    return config.build();
  }

  /** All that is said on one connection. */
  private void converse(AsyncSession session, List<Scenario.Turn> turns, ArrayNode events) throws Exception {
    Arrivals<LiveServerMessage> arrivals = new Arrivals<>();
    done(session.receive(arrivals::value));
    if (!history.isEmpty() && handle == null) {
      done(session.sendClientContent(LiveSendClientContentParameters.builder().turns(history).turnComplete(false).build()));
    }
    for (Scenario.Turn turn : turns) {
      send(session, turn);
      for (boolean over = false; !over; ) {
        Arrivals.Arrival<LiveServerMessage> came = arrivals.next(Scenario.LIVE_PATIENCE_MS);
        if (came == null) throw new Arrivals.Silence();
        over = hear(session, came.value(), events);
      }
    }
    Arrivals.Arrival<LiveServerMessage> late;
    while ((late = arrivals.next(Scenario.QUIET_MS)) != null) hear(session, late.value(), events);
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

  /** One message, and the answer to the calls in it; true: the turn is over. */
  private boolean hear(AsyncSession session, LiveServerMessage message, ArrayNode events) throws Exception {
    events.add(told(message));
    message.sessionResumptionUpdate().flatMap(LiveServerSessionResumptionUpdate::newHandle).ifPresent(newest -> handle = newest);
    message.toolCallCancellation().flatMap(LiveServerToolCallCancellation::ids).ifPresent(cancelled::addAll);
    answer(session, message.toolCall().flatMap(LiveServerToolCall::functionCalls).orElse(List.of()));
    message.serverContent().flatMap(LiveServerContent::modelTurn).flatMap(Content::parts).orElse(List.of()).stream()
        .filter(part -> !part.thought().orElse(false)).forEach(part -> saying.append(part.text().orElse("")));
    boolean over = message.serverContent().flatMap(LiveServerContent::turnComplete).orElse(false);
    if (over) finish();
    return over;
  }

  private void answer(AsyncSession session, List<FunctionCall> calls) throws Exception {
    List<FunctionResponse> responses = calls.stream().filter(call -> !cancelled.contains(call.id().orElse(""))).map(acting::answer).toList();
    if (responses.isEmpty()) return;
    done(session.sendToolResponse(LiveSendToolResponseParameters.builder().functionResponses(responses).build()));
  }

  /** Keeps what the model said. */
  private void finish() {
    if (!saying.isEmpty()) history.add(Content.builder().role("model").parts(Part.fromText(saying.toString())).build());
    saying.setLength(0);
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

import com.fasterxml.jackson.databind.node.*;
import com.google.adk.agents.*;
import com.google.adk.events.Event;
import com.google.adk.runner.Runner;
import com.google.adk.sessions.InMemorySessionService;
import com.google.adk.tools.*;
import com.google.genai.types.*;
import io.reactivex.rxjava3.core.*;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.util.*;

/** Acts a scenario by an agent of ADK, set up by its environment alone. Usage: Adk SCENARIO.json. */
public final class Adk {
  private static final String APP = "wiretape_case";
  private static final String USER = "user";
  private static final String SESSION = "s1";
  /** A runtime that was told to hang up may take so long. */
  private static final long FAREWELL_MS = 1_000;

  private final Scenario scenario;
  private final Transcript transcript;
  private final Toolbox toolbox;
  private final InMemorySessionService sessions = new InMemorySessionService();

  private Adk(Scenario scenario, Transcript transcript) {
    this.scenario = scenario;
    this.transcript = transcript;
    this.toolbox = new Toolbox(scenario);
  }

  public static void main(String[] words) throws Exception {
    Transcript transcript = new Transcript("com.google.adk:google-adk", "com.google.genai:google-genai");
    Scenario scenario = Scenario.read(words);
    if (scenario.api().equals("interactions")) transcript.unsupported("ADK for Java does not speak the Interactions API.");
    if (!scenario.agent().equals("single")) transcript.unsupported("ADK for Java has no agents in chat and task mode.");
    new Adk(scenario, transcript).act();
  }

  private void act() throws Exception {
    sessions.createSession(APP, USER, Map.of(), SESSION).blockingGet();
    if (scenario.api().equals("live")) {
      if (scenario.resumption()) transcript.note("RunConfig of ADK for Java has no session resumption.");
      for (List<Scenario.Turn> turns : scenario.conversations()) connect(turns);
    } else {
      List<Scenario.Turn> turns = scenario.conversations().get(0);
      for (int number = 0; number < turns.size(); number++) ask(turns.get(number), scenario.modelOf(number));
    }
    var stored = sessions.getSession(APP, USER, SESSION, Optional.empty()).blockingGet();
    transcript.session(stored.events().stream().map(this::told).toList());
    transcript.tell(toolbox);
  }

  /** The agent on a model, with the scenario's tools. */
  private Runner runner(String model) {
    LlmAgent.Builder agent = LlmAgent.builder().name("agent").model(model).tools(scenario.tools().stream().map(this::tool).toList())
        .generateContentConfig(scenario.settings().build());
    if (scenario.instruction() != null) agent.instruction(scenario.instruction());
    return Runner.builder().agent(agent.build()).appName(APP).sessionService(sessions).build();
  }

  private BaseTool tool(Scenario.Declared declared) {
    return new BaseTool(declared.name(), declared.description()) {
      @Override
      public Optional<FunctionDeclaration> declaration() {
        return Optional.of(declared.declaration());
      }

      @Override
      public Single<Map<String, Object>> runAsync(Map<String, Object> args, ToolContext context) {
        return Single.fromCallable(() -> toolbox.run(declared.name(), args, context.functionCallId().orElse(null)));
      }
    };
  }

  /** One turn over HTTP. */
  private void ask(Scenario.Turn turn, String model) throws InterruptedException {
    ArrayNode events = transcript.turn();
    RunConfig config = RunConfig.builder().streamingMode(scenario.streaming() ? RunConfig.StreamingMode.SSE : RunConfig.StreamingMode.NONE).build();
    Arrivals<Event> arrivals = new Arrivals<>();
    Disposable running = listen(runner(model).runAsync(USER, SESSION, turn.content(), config), arrivals);
    while (true) {
      Arrivals.Arrival<Event> came = arrivals.next(Scenario.HTTP_PATIENCE_MS);
      if (came == null) transcript.raised(new Arrivals.Silence());
      else if (came.error() != null) transcript.raised(came.error());
      if (came == null || came.isEnd()) break;
      events.add(told(came.value()));
    }
    running.dispose();
  }

  /** One Live connection of the app's, from the setup to its hanging up. */
  private void connect(List<Scenario.Turn> turns) throws InterruptedException {
    ArrayNode events = transcript.turn();
    RunConfig.Builder config = RunConfig.builder().streamingMode(RunConfig.StreamingMode.BIDI)
        .responseModalities(List.of(new Modality(scenario.audio() ? "AUDIO" : "TEXT")));
    if (scenario.audio()) {
      config.inputAudioTranscription(AudioTranscriptionConfig.builder().build());
      config.outputAudioTranscription(AudioTranscriptionConfig.builder().build());
    }
    LiveRequestQueue queue = new LiveRequestQueue();
    Arrivals<Event> arrivals = new Arrivals<>();
    Disposable running = listen(runner(scenario.model()).runLive(USER, SESSION, queue, config.build()), arrivals);
    boolean open = true;
    for (Iterator<Scenario.Turn> left = turns.iterator(); open && left.hasNext(); ) {
      send(queue, left.next());
      open = hear(arrivals, events, Scenario.LIVE_PATIENCE_MS);
    }
    while (open && drain(arrivals, events, Scenario.QUIET_MS)) continue;
    queue.close();
    while (open && drain(arrivals, events, FAREWELL_MS)) continue;
    running.dispose();
  }

  private static void send(LiveRequestQueue queue, Scenario.Turn turn) {
    if (turn.how().equals("audio")) queue.realtime(turn.sound());
    else queue.content(turn.content());
  }

  /** What comes until the turn is complete; false: there is no more on this connection. */
  private boolean hear(Arrivals<Event> arrivals, ArrayNode events, long patience) throws InterruptedException {
    while (true) {
      Arrivals.Arrival<Event> came = arrivals.next(patience);
      if (came == null) transcript.raised(new Arrivals.Silence());
      else if (came.error() != null) transcript.raised(came.error());
      if (came == null || came.isEnd()) return false;
      events.add(told(came.value()));
      if (came.value().turnComplete().orElse(false)) return true;
    }
  }

  /** Takes one thing that comes behind the turns; false: nothing more does. */
  private boolean drain(Arrivals<Event> arrivals, ArrayNode events, long patience) throws InterruptedException {
    Arrivals.Arrival<Event> came = arrivals.next(patience);
    if (came != null && came.error() != null) transcript.raised(came.error());
    if (came == null || came.isEnd()) return false;
    events.add(told(came.value()));
    return true;
  }

  private static Disposable listen(Flowable<Event> flow, Arrivals<Event> arrivals) {
    return flow.subscribeOn(Schedulers.io()).subscribe(arrivals::value, arrivals::error, arrivals::end);
  }

  private ObjectNode told(Event event) {
    ObjectNode told = transcript.event(event.author(), event.content());
    Transcript.mark(told, "partial", event.partial());
    Transcript.mark(told, "interrupted", event.interrupted());
    Transcript.mark(told, "turnComplete", event.turnComplete());
    Transcript.mark(told, "finishReason", event.finishReason());
    Transcript.mark(told, "errorCode", event.errorCode());
    Transcript.mark(told, "errorMessage", event.errorMessage());
    Transcript.mark(told, "inputTranscription", event.inputTranscription());
    Transcript.mark(told, "outputTranscription", event.outputTranscription());
    Transcript.mark(told, "usage", event.usageMetadata());
    return told;
  }
}

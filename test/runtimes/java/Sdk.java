import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.google.genai.AsyncSession;
import com.google.genai.Client;
import com.google.genai.ResponseStream;
import com.google.genai.gaos.models.interactions.*;
import com.google.genai.gaos.models.operations.CreateInteractionRequestBody;
import com.google.genai.gaos.utils.EventStream;
import com.google.genai.gaos.utils.JSON;
import com.google.genai.types.Candidate;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.FunctionDeclaration;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.GenerateContentResponse;
import com.google.genai.types.LiveConnectConfig;
import com.google.genai.types.LiveSendClientContentParameters;
import com.google.genai.types.LiveServerContent;
import com.google.genai.types.Part;
import com.google.genai.types.Schema;
import com.google.genai.types.Tool;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Talks to the API by the official SDK, set up by its environment alone, and prints what it got. Usage: unary | stream | interactions | live. */
public class Sdk {
  public static void main(String[] words) throws Exception {
    try (Client client = new Client()) {
      switch (words[0]) {
        case "unary" -> unary(client);
        case "stream" -> stream(client);
        case "interactions" -> interactions(client);
        case "live" -> live(client);
        default -> throw new IllegalArgumentException(words[0]);
      }
    }
  }

  static void tell(GenerateContentResponse answer) {
    for (Candidate candidate : answer.candidates().get()) System.out.println(candidate.toJson());
  }

  static void unary(Client client) {
    Content asked = Content.builder().role("user").parts(Part.fromText("When is high tide in Whitby?")).build();
    FunctionDeclaration tide = FunctionDeclaration.builder().name("get_tide").description("The next high tide at a harbour.")
        .parameters(Schema.builder().type("OBJECT").properties(Map.of("harbour", Schema.builder().type("STRING").build())).required("harbour").build())
        .build();
    GenerateContentConfig config = GenerateContentConfig.builder().tools(Tool.builder().functionDeclarations(tide).build()).build();
    String model = "gemini-3-pro-preview";
    GenerateContentResponse called = client.models.generateContent(model, List.of(asked), config);
    tell(called);
    FunctionCall call = called.functionCalls().get(0);
    Content answered = Content.builder().role("user").parts(Part.builder().functionResponse(FunctionResponse.builder()
        .id(call.id().get()).name(call.name().get()).response(Map.of("time", "16:42", "height_m", 5.4)).build()).build()).build();
    GenerateContentResponse told = client.models.generateContent(model, List.of(asked, called.candidates().get().get(0).content().get(), answered), config);
    tell(told);
  }

  static void stream(Client client) {
    GenerateContentConfig config = GenerateContentConfig.builder().temperature(0.5f).maxOutputTokens(64).build();
    ResponseStream<GenerateContentResponse> chunks = client.models.generateContentStream("gemini-2.5-flash", "Why is the sea salty?", config);
    for (GenerateContentResponse chunk : chunks) tell(chunk);
    chunks.close();
  }

  /** The SDK's class for a result that is an object has no fields, and keeps none: this puts one in its place. */
  static final class Tide extends FunctionResultStep {
    @JsonProperty("result")
    public final Map<String, Object> tide = Map.of("time", "16:42", "height_m", 5.4);

    Tide(FunctionCallStep call) {
      super(call.id().get(), null, call.name().get(), FunctionResultStepResultUnion.of(""));
    }
  }

  /** A function call in a stream, and the request that answers it. */
  static void interactions(Client client) throws Exception {
    String question = "When is high tide in Whitby?";
    ThoughtStep.Builder thought = ThoughtStep.builder();
    FunctionCallStep[] call = new FunctionCallStep[1];
    StringBuilder arguments = new StringBuilder();
    create(client, InteractionsInput.of(question), event -> {
      if (event instanceof StepStart start && start.step().get() instanceof FunctionCallStep step) call[0] = step;
      if (!(event instanceof StepDelta piece)) return;
      StepDeltaData delta = piece.delta().get();
      if (delta instanceof ThoughtSummaryDelta summary) thought.summary(List.of((ThoughtSummaryContent) summary.content().get()));
      else if (delta instanceof ThoughtSignatureDelta signature) thought.signature(signature.signature().get());
      else if (delta instanceof ArgumentsDelta more) arguments.append(more.arguments().get());
    });
    TextContent text = TextContent.builder().text(question).build();
    Map<String, Object> harbour = JSON.getMapper().readValue(arguments.toString(), new TypeReference<>() {});
    FunctionCallStep called = call[0];
    create(client, InteractionsInput.ofStep(List.of(UserInputStep.builder().content(List.of(text)).build(), thought.build(),
        called.withArguments(harbour), new Tide(called))), event -> { });
  }

  /** One request for an interaction, streamed; each event of it is told and heard. */
  static void create(Client client, InteractionsInput input, Consumer<InteractionSSEEvent> hear) throws Exception {
    Map<String, Object> parameters = Map.of("type", "object", "properties", Map.of("harbour", Map.of("type", "string")), "required", List.of("harbour"));
    CreateModelInteraction request = CreateModelInteraction.builder().model(Model.of("gemini-3-flash-preview")).store(false).stream(true).input(input)
        .generationConfig(GenerationConfig.builder().thinkingSummaries(ThinkingSummaries.AUTO).build())
        .tools(List.of(Function.builder().name("get_tide").description("The next high tide at a harbour.").parameters(parameters).build())).build();
    try (EventStream<InteractionSSEStreamEvent> events = client.interactions.create(CreateInteractionRequestBody.of(request)).events()) {
      for (InteractionSSEStreamEvent event : events) {
        System.out.println(JSON.getMapper().writeValueAsString(event.data().get()));
        hear.accept(event.data().get());
      }
    }
  }

  static void live(Client client) throws Exception {
    LiveConnectConfig config = LiveConnectConfig.builder().responseModalities("TEXT").temperature(0.5f).build();
    AsyncSession session = client.async.live.connect("gemini-live-2.5-flash-preview", config).get(20, TimeUnit.SECONDS);
    CountDownLatch over = new CountDownLatch(1);
    session.receive(message -> {
      System.out.println(message.toJson());
      if (message.serverContent().flatMap(LiveServerContent::turnComplete).orElse(false)) over.countDown();
    }).get(20, TimeUnit.SECONDS);
    Content asked = Content.builder().role("user").parts(Part.fromText("Who kept the light at Flamborough?")).build();
    session.sendClientContent(LiveSendClientContentParameters.builder().turns(asked).turnComplete(true).build()).get(20, TimeUnit.SECONDS);
    if (!over.await(20, TimeUnit.SECONDS)) System.out.println("gave up");
    session.close().get(20, TimeUnit.SECONDS);
  }
}

import com.google.genai.AsyncSession;
import com.google.genai.Client;
import com.google.genai.ResponseStream;
import com.google.genai.types.*;
import java.util.*;
import java.util.concurrent.*;

/** Talks to the API by the official SDK, set up by its environment alone, and prints what it got. Usage: unary | stream | live. */
public class Sdk {
  public static void main(String[] words) throws Exception {
    try (Client client = new Client()) {
      switch (words[0]) {
        case "unary" -> unary(client);
        case "stream" -> stream(client);
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

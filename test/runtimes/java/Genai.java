import com.google.genai.Client;
import com.google.genai.types.*;
import java.util.List;

/** Acts a scenario by the official SDK, set up by its environment alone. Tools are run by hand. Usage: Genai SCENARIO.json. */
public final class Genai {
  final Client client = new Client();
  final Scenario scenario;
  final Transcript transcript;
  final Toolbox toolbox;

  private Genai(Scenario scenario, Transcript transcript) {
    this.scenario = scenario;
    this.transcript = transcript;
    this.toolbox = new Toolbox(scenario);
  }

  public static void main(String[] words) throws Exception {
    Transcript transcript = new Transcript("com.google.genai:google-genai");
    Scenario scenario = Scenario.read(words);
    if (scenario.agent().equals("delegating")) transcript.unsupported("The SDK has no agents that delegate.");
    Genai acting = new Genai(scenario, transcript);
    switch (scenario.api()) {
      case "live" -> new GenaiLive(acting).act();
      case "interactions" -> new GenaiInteractions(acting).act();
      default -> new GenaiChat(acting).act();
    }
    transcript.tell(acting.toolbox);
  }

  /** The tools as declarations: the program runs them by hand. */
  List<Tool> tools() {
    if (scenario.tools().isEmpty()) return List.of();
    return List.of(Tool.builder().functionDeclarations(scenario.tools().stream().map(Scenario.Declared::declaration).toList()).build());
  }

  /** The system instruction, which there may not be. */
  Content instruction() {
    return Content.builder().role("user").parts(Part.fromText(scenario.instruction())).build();
  }

  /** Runs the function that a call is of. */
  FunctionResponse answer(FunctionCall call) {
    String name = call.name().orElse("");
    FunctionResponse.Builder answer = FunctionResponse.builder().name(name)
        .response(toolbox.run(name, call.args().orElse(java.util.Map.of()), call.id().orElse(null)));
    call.id().ifPresent(answer::id);
    return answer.build();
  }
}

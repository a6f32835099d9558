import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.google.genai.gaos.models.interactions.*;
import com.google.genai.gaos.models.operations.CreateInteractionRequestBody;
import java.util.*;

/** Interactions: the service keeps the conversation, so each request has what is new and the id before it. */
final class GenaiInteractions {
  private final Genai acting;
  private final Scenario scenario;
  private String previous;

  GenaiInteractions(Genai acting) {
    this.acting = acting;
    this.scenario = acting.scenario;
  }

  /** The SDK's class for a result that is an object has no fields, and keeps none: this puts one in its place. */
  private static final class ObjectResult extends FunctionResultStep {
    @JsonProperty("result")
    public final Map<String, Object> object;

    ObjectResult(String id, String name, Map<String, Object> object) {
      super(id, null, name, FunctionResultStepResultUnion.of(""));
      this.object = object;
    }
  }

  void act() throws InterruptedException {
    List<Scenario.Turn> turns = scenario.conversations().get(0);
    for (int number = 0; number < turns.size(); number++) take(turns.get(number), scenario.modelOf(number));
  }

  /** One turn of the user, with the rounds of tools in it. */
  private void take(Scenario.Turn turn, String model) throws InterruptedException {
    ArrayNode events = acting.transcript.turn();
    List<Content> said = turn.parts().stream().<Content>map(part -> TextContent.builder().text((String) part.get("text")).build()).toList();
    List<Step> steps = List.of(UserInputStep.builder().content(said).build());
    for (int round = 0; round < Scenario.MOST_ROUNDS; round++) {
      GenaiAnswer answer = new GenaiAnswer(acting, events);
      boolean whole = answer.ask(request(steps, model));
      if (answer.id() != null) previous = answer.id();
      if (!whole || answer.calls().isEmpty()) return;
      steps = answer.calls().stream()
          .<Step>map(call -> new ObjectResult(call.id(), call.name(), acting.toolbox.run(call.name(), call.args(), call.id()))).toList();
    }
  }

  /** The body of one request. */
  private CreateInteractionRequestBody request(List<Step> steps, String model) {
    List<Tool> tools = scenario.tools().stream()
        .<Tool>map(tool -> Function.builder().name(tool.name()).description(tool.description()).parameters(tool.parameters()).build()).toList();
    InteractionsInput input = InteractionsInput.ofStep(steps);
    if (scenario.agent().equals("managed")) {
      CreateAgentInteraction.Builder body = CreateAgentInteraction.builder().agent(scenario.agentId()).input(input);
      if (scenario.streaming()) body.stream(true);
      if (!tools.isEmpty()) body.tools(tools);
      if (scenario.instruction() != null) body.systemInstruction(scenario.instruction());
      if (previous != null) body.previousInteractionId(previous);
      return CreateInteractionRequestBody.of(body.build());
    }
    CreateModelInteraction.Builder body = CreateModelInteraction.builder().model(Model.of(model)).input(input);
    if (scenario.streaming()) body.stream(true);
    if (!tools.isEmpty()) body.tools(tools);
    if (scenario.instruction() != null) body.systemInstruction(scenario.instruction());
    if (previous != null) body.previousInteractionId(previous);
    if (scenario.thinkingSummaries()) body.generationConfig(GenerationConfig.builder().thinkingSummaries(ThinkingSummaries.AUTO).build());
    return CreateInteractionRequestBody.of(body.build());
  }
}

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.genai.gaos.models.interactions.InteractionSSEStreamEvent;
import com.google.genai.gaos.models.operations.CreateInteractionRequestBody;
import com.google.genai.gaos.models.operations.CreateInteractionResponse;
import com.google.genai.gaos.utils.EventStream;
import com.google.genai.gaos.utils.JSON;
import java.util.*;

/** One answer on the Interactions API, of the SDK's values as JSON. Pieces of a call are put together by their index. */
final class GenaiAnswer {
  /** A function call that came whole. */
  record Call(String id, String name, Map<String, Object> args) {}

  /** Statuses of an interaction that went as it should. */
  private static final Set<String> GOOD = Set.of("completed", "requires_action", "in_progress");

  private final Genai acting;
  private final ArrayNode events;
  private final Map<Integer, ObjectNode> steps = new HashMap<>();
  private final Map<Integer, StringBuilder> pieces = new HashMap<>();
  private final List<Call> calls = new ArrayList<>();
  private String id;

  GenaiAnswer(Genai acting, ArrayNode events) {
    this.acting = acting;
    this.events = events;
  }

  List<Call> calls() {
    return calls;
  }

  String id() {
    return id;
  }

  /** One request; true: all of the answer came. */
  boolean ask(CreateInteractionRequestBody body) throws InterruptedException {
    Arrivals<JsonNode> arrivals = Arrivals.of(each -> {
      CreateInteractionResponse response = acting.client.interactions.create(body);
      if (response.interaction().isPresent()) {
        each.accept(JSON.getMapper().valueToTree(response.interaction().get()));
        return;
      }
      try (EventStream<InteractionSSEStreamEvent> stream = response.events()) {
        for (InteractionSSEStreamEvent event : stream) each.accept(JSON.getMapper().valueToTree(event.data().orElse(null)));
      }
    });
    while (true) {
      Arrivals.Arrival<JsonNode> came = arrivals.next(Scenario.HTTP_PATIENCE_MS);
      if (came == null) acting.transcript.raised(new Arrivals.Silence());
      else if (came.error() != null) acting.transcript.raised(came.error());
      if (came == null || came.error() != null) return false;
      if (came.isEnd()) return true;
      take(came.value());
    }
  }

  /** One event of a stream, or a whole answer, which has no type. */
  private void take(JsonNode event) {
    int index = event.path("index").asInt();
    switch (event.path("event_type").asText()) {
      case "interaction.created" -> named(event.path("interaction"));
      case "step.start" -> {
        steps.put(index, event.get("step").deepCopy());
        if (!isCall(event.get("step"))) show(parts(event.get("step")));
      }
      case "step.delta" -> delta(index, event.path("delta"));
      case "step.stop" -> stop(steps.remove(index), pieces.remove(index));
      case "interaction.completed" -> over(event.path("interaction"), List.of());
      case "error" -> {
        ObjectNode told = acting.transcript.event("model", Optional.empty());
        Transcript.mark(told, "errorCode", text(event.path("error").path("code")));
        Transcript.mark(told, "errorMessage", text(event.path("error").path("message")));
        events.add(told);
      }
      case "" -> {
        List<ObjectNode> parts = new ArrayList<>();
        for (JsonNode step : event.path("steps")) {
          parts.addAll(parts(step));
          if (isCall(step)) called(step);
        }
        over(event, parts);
      }
      default -> { }
    }
  }

  private static boolean isCall(JsonNode step) {
    return step.path("type").asText().equals("function_call");
  }

  private static Optional<String> text(JsonNode node) {
    return node.isTextual() && !node.asText().isEmpty() ? Optional.of(node.asText()) : Optional.empty();
  }

  private void named(JsonNode interaction) {
    text(interaction.path("id")).ifPresent(given -> id = given);
  }

  /** A piece of a step, which may say something by itself. */
  private void delta(int index, JsonNode delta) {
    switch (delta.path("type").asText()) {
      case "arguments_delta" -> pieces.computeIfAbsent(index, first -> new StringBuilder()).append(delta.path("arguments").asText());
      case "text" -> show(List.of(part(delta.path("text").asText())));
      case "thought_summary" -> show(List.of(thought(delta.path("content").path("text").asText(), Optional.empty())));
      case "thought_signature" -> show(List.of(thought("", text(delta.path("signature")))));
      default -> { }
    }
  }

  /** Shows a call when it is whole. */
  private void stop(ObjectNode step, StringBuilder arguments) {
    if (step == null || !isCall(step)) return;
    if (arguments != null) {
      try {
        step.set("arguments", Scenario.JSON.readTree(arguments.toString()));
      } catch (java.io.IOException noJson) {
        acting.transcript.note("Arguments that make no JSON: " + arguments);
      }
    }
    called(step);
    show(parts(step));
  }

  private void called(JsonNode step) {
    Map<String, Object> args = Scenario.JSON.convertValue(step.path("arguments"), new TypeReference<>() {});
    calls.add(new Call(step.path("id").asText(), step.path("name").asText(), args == null ? Map.of() : args));
  }

  /** How an interaction ended, with its parts if it came whole. */
  private void over(JsonNode interaction, List<ObjectNode> parts) {
    named(interaction);
    ObjectNode told = acting.transcript.event("model", Optional.empty());
    ((ArrayNode) told.get("parts")).addAll(parts);
    Transcript.mark(told, "errorCode", text(interaction.path("status")).filter(status -> !GOOD.contains(status)));
    Transcript.mark(told, "usage", Optional.of(interaction.path("usage")).filter(JsonNode::isObject));
    Transcript.mark(told, "interactionId", text(interaction.path("id")));
    events.add(told);
  }

  private void show(List<ObjectNode> parts) {
    if (parts.isEmpty()) return;
    ObjectNode told = acting.transcript.event("model", Optional.empty());
    ((ArrayNode) told.get("parts")).addAll(parts);
    events.add(told);
  }

  /** A step as parts. */
  private static List<ObjectNode> parts(JsonNode step) {
    List<ObjectNode> parts = new ArrayList<>();
    switch (step.path("type").asText()) {
      case "thought" -> {
        StringBuilder said = new StringBuilder();
        for (JsonNode summary : step.path("summary")) said.append(summary.path("text").asText());
        Optional<String> signature = text(step.path("signature"));
        if (!said.isEmpty() || signature.isPresent()) parts.add(thought(said.toString(), signature));
      }
      case "function_call" -> {
        ObjectNode call = Scenario.JSON.createObjectNode();
        call.putObject("functionCall").put("id", step.path("id").asText()).put("name", step.path("name").asText()).set("args", step.path("arguments"));
        parts.add(call);
      }
      case "model_output" -> {
        for (JsonNode content : step.path("content")) if (content.has("text")) parts.add(part(content.path("text").asText()));
      }
      default -> { }
    }
    return parts;
  }

  private static ObjectNode part(String text) {
    return Scenario.JSON.createObjectNode().put("text", text);
  }

  /** A thought, or the signature of one, which comes alone. */
  private static ObjectNode thought(String text, Optional<String> signature) {
    ObjectNode part = part(text).put("thought", true);
    signature.ifPresent(bytes -> part.put("thoughtSignature", Transcript.standard(bytes)));
    return part;
  }
}

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.*;
import com.google.genai.JsonSerializable;
import com.google.genai.errors.ApiException;
import com.google.genai.types.Content;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.regex.Pattern;

/** What a program prints: what its runtime handed out, stored and raised, in one spelling for all runtimes. */
final class Transcript {
  /** Ids that runtimes make up: adk-…, and UUIDs. */
  private static final Pattern MADE_UP = Pattern.compile("^adk-|^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$");
  private static final int LONGEST_MESSAGE = 1000;
  // What a library prints is no part of the transcript.
  private static final PrintStream STDOUT = System.out;

  static {
    System.setOut(System.err);
  }

  private final ObjectNode told = Scenario.JSON.createObjectNode();
  private final ArrayNode turns = Scenario.JSON.createArrayNode();
  private final ArrayNode notes = Scenario.JSON.createArrayNode();
  private final Map<String, String> ids = new HashMap<>();
  private JsonNode session = NullNode.getInstance();

  /** Of programs on these artifacts of Maven, each `group:name`. */
  Transcript(String... artifacts) throws IOException {
    ObjectNode runtime = told.putObject("runtime");
    for (String artifact : artifacts) {
      Properties properties = new Properties();
      try (InputStream file = Transcript.class.getResourceAsStream("/META-INF/maven/" + artifact.replace(':', '/') + "/pom.properties")) {
        properties.load(file);
      }
      runtime.put(artifact, properties.getProperty("version"));
    }
  }

  /** Begins a turn, or a connection: what the app sees of it comes into the array. */
  ArrayNode turn() {
    ObjectNode turn = turns.addObject();
    turn.putNull("error");
    return turn.putArray("events");
  }

  /** What ended the turn that was begun last. */
  void raised(Throwable error) {
    error.printStackTrace();
    Throwable cause = error;
    while (cause.getCause() != null && (cause instanceof java.util.concurrent.ExecutionException || cause instanceof java.util.concurrent.CompletionException)) {
      cause = cause.getCause();
    }
    String message = String.valueOf(cause.getMessage());
    ObjectNode node = ((ObjectNode) turns.get(turns.size() - 1)).putObject("error");
    node.put("type", cause.getClass().getSimpleName());
    node.put("message", message.substring(0, Math.min(message.length(), LONGEST_MESSAGE)));
    if (cause instanceof ApiException refused) node.put("code", refused.code());
  }

  void note(String note) {
    notes.add(note);
  }

  /** What the runtime stored. */
  void session(List<ObjectNode> events) {
    session = Scenario.JSON.createArrayNode().addAll(events);
  }

  /** An event of somebody's: its marks and parts are put into it. */
  ObjectNode event(String author, Optional<Content> content) {
    ObjectNode event = Scenario.JSON.createObjectNode().put("author", author);
    ArrayNode parts = event.putArray("parts");
    content.map(Transcript::json).map(node -> node.path("parts")).ifPresent(all -> all.forEach(part -> parts.add(part((ObjectNode) part))));
    return event;
  }

  /** Marks an event, if there is anything to say. */
  static void mark(ObjectNode event, String name, Optional<?> mark) {
    Object value = mark.orElse(null);
    if (value == null || Boolean.FALSE.equals(value)) return;
    if (value instanceof Boolean) event.put(name, true);
    else if (value instanceof JsonNode node) event.set(name, node);
    else if (value instanceof JsonSerializable model) event.set(name, json(model));
    else event.put(name, value.toString());
  }

  /** A value of the SDK's as the API spells it. */
  static JsonNode json(JsonSerializable value) {
    try {
      return Scenario.JSON.readTree(value.toJson());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** An id that two runs print alike. */
  String stable(String id) {
    return MADE_UP.matcher(id).find() ? ids.computeIfAbsent(id, unseen -> "made-up-" + (ids.size() + 1)) : id;
  }

  private ObjectNode part(ObjectNode part) {
    for (String key : List.of("functionCall", "functionResponse")) {
      if (part.get(key) instanceof ObjectNode piece && piece.hasNonNull("id")) piece.put("id", stable(piece.get("id").asText()));
    }
    if (part.get("thoughtSignature") instanceof TextNode signature) part.put("thoughtSignature", standard(signature.asText()));
    if (part.get("inlineData") instanceof ObjectNode blob) {
      int size = Base64.getDecoder().decode(standard(blob.path("data").asText())).length;
      part.putObject("inlineData").put("mimeType", blob.path("mimeType").asText()).put("bytes", size);
    }
    return part;
  }

  /** The same bytes in the alphabet of standard base64. */
  static String standard(String base64) {
    return base64.replace('-', '+').replace('_', '/');
  }

  /** Prints it all and ends the program, whatever of the runtime still hangs about. */
  void tell(Toolbox toolbox) {
    told.set("turns", turns);
    told.set("session", session);
    ArrayNode runs = told.putArray("toolRuns");
    for (Toolbox.Run run : toolbox.runs()) {
      ObjectNode node = runs.addObject().put("name", run.name());
      node.set("args", Scenario.JSON.valueToTree(run.args()));
      if (run.id() != null) node.put("id", stable(run.id()));
    }
    if (!notes.isEmpty()) told.set("notes", notes);
    print();
  }

  /** Says that the runtime has no way to act the scenario, and ends the program. */
  void unsupported(String why) {
    told.put("unsupported", why);
    print();
  }

  private void print() {
    STDOUT.writeBytes((told.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8));
    STDOUT.flush();
    Runtime.getRuntime().halt(0);
  }
}

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.genai.types.*;
import java.nio.file.Path;
import java.util.*;

/** What a program is given to act: the scenario's file, read, in the types of the SDK where it has some. */
@JsonIgnoreProperties(ignoreUnknown = true)
record Scenario(String api, boolean streaming, String model, String agent, String agentId, String instruction,
    List<Declared> tools, List<List<Turn>> conversations, boolean audio, boolean resumption, List<String> models, boolean streamArguments,
    boolean thinkingSummaries) {
  static final ObjectMapper JSON = new ObjectMapper();
  /** A turn of HTTP in which nothing comes for so long is given up, and one of Live after so long. */
  static final long HTTP_PATIENCE_MS = 20_000;
  static final long LIVE_PATIENCE_MS = 10_000;
  /** The app hangs up so long after the end of its last turn: the usage may come after it. */
  static final long QUIET_MS = 250;
  /** An app that runs tools by hand goes no further than so many requests in one turn. */
  static final int MOST_ROUNDS = 6;

  /** A function that the model may call, and what each run of it returned. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Declared(String name, String description, Map<String, Object> parameters, List<Map<String, Object>> results) {
    FunctionDeclaration declaration() {
      return FunctionDeclaration.builder().name(name).description(description).parametersJsonSchema(parameters).build();
    }
  }

  /** What the user says, and the way it goes over a Live connection. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Turn(List<Map<String, Object>> parts, String how) {
    Content content() {
      return Content.builder().role("user").parts(parts.stream().map(part -> Part.fromJson(Scenario.toJson(part))).toList()).build();
    }

    /** The sound of a turn that is nothing else. */
    Blob sound() {
      return content().parts().get().get(0).inlineData().get();
    }
  }

  /** The scenario whose file the command line ends with. */
  static Scenario read(String[] words) throws Exception {
    return JSON.readValue(Path.of(words[words.length - 1]).toFile(), Scenario.class);
  }

  static String toJson(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The model that the turn of this number is for. */
  String modelOf(int turn) {
    return models != null && turn < models.size() ? models.get(turn) : model;
  }

  /** The settings of a request for content, but for the instruction and the tools, which agents have places of their own for. */
  GenerateContentConfig.Builder settings() {
    GenerateContentConfig.Builder config = GenerateContentConfig.builder();
    if (thinkingSummaries) config.thinkingConfig(ThinkingConfig.builder().includeThoughts(true).build());
    if (streamArguments) {
      FunctionCallingConfig calling = FunctionCallingConfig.builder().streamFunctionCallArguments(true).build();
      config.toolConfig(ToolConfig.builder().functionCallingConfig(calling).build());
    }
    return config;
  }
}

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives a test that has a {@link Tape} a base URL that is answered from a cassette, and fails the test if its app
 * asks for anything else, or for less.
 *
 * <p>The cassette is named like the test's method, or by {@link Cassette}. Run the suite with {@code npx wiretape
 * replay cassettes -- mvn test}.
 */
public final class WiretapeExtension implements ParameterResolver, AfterEachCallback {
  /** Names the cassette of a test. */
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Cassette {
    String value();
  }

  /** What a test needs to know. */
  public static final class Tape {
    /** For clients of the Gemini API. */
    public final String baseUrl;

    /** For clients of Vertex AI. */
    public final String vertexBaseUrl;

    private final URI verdict;

    private Tape(String cassette) {
      // Each run of a test is a replay of its own, however many go on at once.
      String run = cassette + "@" + UUID.randomUUID().toString().substring(0, 8);
      baseUrl = root("WIRETAPE_URL") + "/t/" + run;
      vertexBaseUrl = root("WIRETAPE_VERTEX_URL") + "/t/" + run;
      verdict = URI.create(root("WIRETAPE_URL") + "/__wiretape__/" + run);
    }

    private static String root(String variable) {
      String url = System.getenv(variable);
      if (url != null) return url;
      throw new IllegalStateException("Run the tests with: npx wiretape replay cassettes -- mvn test");
    }
  }

  private static final Namespace OURS = Namespace.create(WiretapeExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Tape.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    String cassette =
        AnnotationSupport.findAnnotation(test.getTestMethod(), Cassette.class)
            .map(Cassette::value)
            .orElseGet(() -> test.getRequiredTestMethod().getName());
    return test.getStore(OURS).getOrComputeIfAbsent(Tape.class, key -> new Tape(cassette), Tape.class);
  }

  @Override
  public void afterEach(ExtensionContext test) throws Exception {
    Tape tape = test.getStore(OURS).get(Tape.class, Tape.class);
    if (tape == null) return;
    HttpRequest ask = HttpRequest.newBuilder(tape.verdict).header("accept", "text/plain").build();
    String message = HttpClient.newHttpClient().send(ask, BodyHandlers.ofString()).body();
    if (!message.isEmpty()) throw new AssertionError(message);
  }
}

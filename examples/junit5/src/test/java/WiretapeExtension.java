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
 * replay cassettes -- mvn test}. Without that a test has a tape that is not replayed, so that the cassette of one is
 * recorded with {@code npx wiretape record cassettes/greeting.cassette.yaml -- mvn test -Dtest=AnswersTest#greeting}.
 */
public final class WiretapeExtension implements ParameterResolver, AfterEachCallback {
  /** Names the cassette of a test. */
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Cassette {
    String value();
  }

  /** What a test needs to know. */
  public static final class Tape {
    /** False where the client is to be made from the environment, as without this class. */
    public final boolean isReplayed = System.getenv("WIRETAPE_URL") != null;

    /** For clients of the Gemini API. */
    public final String baseUrl;

    /** For clients of Vertex AI. */
    public final String vertexBaseUrl;

    private final String verdict;

    private Tape(String cassette) {
      // Each run of a test is a replay of its own, however many go on at once.
      String run = cassette + "@" + UUID.randomUUID().toString().substring(0, 8);
      baseUrl = System.getenv("WIRETAPE_URL") + "/t/" + run;
      vertexBaseUrl = System.getenv("WIRETAPE_VERTEX_URL") + "/t/" + run;
      verdict = System.getenv("WIRETAPE_URL") + "/__wiretape__/" + run;
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
    if (tape == null || !tape.isReplayed) return;
    HttpRequest ask = HttpRequest.newBuilder(URI.create(tape.verdict)).header("accept", "text/plain").build();
    String message = HttpClient.newHttpClient().send(ask, BodyHandlers.ofString()).body();
    if (!message.isEmpty()) throw new AssertionError(message);
  }
}

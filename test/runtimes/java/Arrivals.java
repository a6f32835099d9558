import java.util.concurrent.*;
import java.util.function.Consumer;

/** What comes from a runtime by callbacks, to be taken one by one, with a limit to the waiting. */
final class Arrivals<T> {
  /** Something that came, what was raised, or, where both are absent, the end. */
  record Arrival<T>(T value, Throwable error) {
    boolean isEnd() {
      return value == null;
    }
  }

  /** Nothing came for as long as the app has patience. */
  static final class Silence extends Exception {
    private static final long serialVersionUID = 1;

    Silence() {
      super("the turn never ended");
    }
  }

  /** Something that brings values one after another, and then returns. */
  interface Source<T> {
    void run(Consumer<T> each) throws Exception;
  }

  private final BlockingQueue<Arrival<T>> came = new LinkedBlockingQueue<>();

  /** What a source brings, in a thread of its own, so that waiting for it can have a limit. */
  static <T> Arrivals<T> of(Source<T> source) {
    Arrivals<T> arrivals = new Arrivals<>();
    Thread thread = new Thread(() -> {
      try {
        source.run(arrivals::value);
        arrivals.end();
      } catch (Throwable raised) {
        arrivals.error(raised);
      }
    });
    thread.setDaemon(true);
    thread.start();
    return arrivals;
  }

  void value(T value) {
    came.add(new Arrival<>(value, null));
  }

  void error(Throwable error) {
    came.add(new Arrival<>(null, error));
  }

  void end() {
    came.add(new Arrival<>(null, null));
  }

  /** The next; null: nothing came in that time. */
  Arrival<T> next(long milliseconds) throws InterruptedException {
    return came.poll(milliseconds, TimeUnit.MILLISECONDS);
  }
}

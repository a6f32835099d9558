import java.util.concurrent.*;

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
    Silence() {
      super("the turn never ended");
    }
  }

  private final BlockingQueue<Arrival<T>> came = new LinkedBlockingQueue<>();

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

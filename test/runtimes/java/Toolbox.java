import java.util.*;

/** The tools of a scenario at work: they answer as recorded, and each run of one is written down. */
final class Toolbox {
  /** One run. */
  record Run(String name, Map<String, Object> args, String id) {}

  private final List<Scenario.Declared> declared;
  private final Map<String, Integer> counts = new HashMap<>();
  private final List<Run> runs = new ArrayList<>();

  Toolbox(Scenario scenario) {
    this.declared = scenario.tools();
  }

  /** Runs a tool: its nth run returns the nth of its results, then the last. */
  synchronized Map<String, Object> run(String name, Map<String, Object> args, String id) {
    Optional<Scenario.Declared> tool = declared.stream().filter(one -> one.name().equals(name)).findFirst();
    if (tool.isEmpty()) return Map.of("error", "There is no function " + name + ".");
    runs.add(new Run(name, new LinkedHashMap<>(args), id));
    List<Map<String, Object>> results = tool.get().results();
    int count = counts.merge(name, 1, Integer::sum);
    return results.isEmpty() ? Map.of("ok", true) : results.get(Math.min(count, results.size()) - 1);
  }

  synchronized List<Run> runs() {
    return List.copyOf(runs);
  }
}

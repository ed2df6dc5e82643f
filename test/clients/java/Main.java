import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;

/** Asks the gateway with every client over every backend, and prints a row for each check. */
public final class Main {
  /** Most checks wait for a slow backend. */
  private static final int AT_ONCE = 24;

  private Main() {}

  private interface Check {
    /** What is wrong; null when nothing is. */
    String run() throws Exception;
  }

  public static void main(String[] words) throws Exception {
    Map<String, Client> clients = new LinkedHashMap<>(Official.clients());
    clients.putAll(Langchain4j.clients());
    ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
    List<Future<?>> rows = new ArrayList<>();
    clients.forEach(
        (name, client) -> {
          for (String backend : Told.BACKENDS) {
            checksOf(client, backend).forEach((check, run) -> rows.add(pool.submit(() -> report(name, backend, check, run))));
          }
        });
    for (Future<?> row : rows) row.get();
    // Clients keep threads of their own.
    System.exit(0);
  }

  private static void report(String client, String backend, String check, Check run) {
    String why;
    try {
      why = run.run();
    } catch (Throwable error) {
      why = error.toString();
    }
    Map<String, String> row = new LinkedHashMap<>();
    row.put("client", client);
    row.put("backend", backend);
    row.put("check", check);
    row.put("why", why);
    System.out.println(Told.write(row));
  }

  /** The checks of one client over one backend, by name. */
  private static Map<String, Check> checksOf(Client client, String backend) {
    Map<String, Check> checks = new LinkedHashMap<>();
    boolean translated = !backend.equals(client.dialect());
    for (boolean tool : List.of(false, true)) {
      String what = tool ? "tool" : "text";
      checks.put(what + " whole", () -> holds(client, new Asking(backend + "-plain", false, tool, translated)));
      checks.put(what + " streamed", () -> holds(client, new Asking(backend + "-plain", true, tool, translated)));
      checks.put(what + " slow", () -> holds(client, new Asking(backend + "-slow", true, tool, translated)));
    }
    for (String ending : List.of("error", "cut", "early")) {
      String model = backend + "-" + ending;
      String slow = backend + "-slow-" + ending;
      checks.put(ending + " whole", () -> breaks(client, new Asking(model, false, false, translated)));
      checks.put(ending + " streamed", () -> breaks(client, new Asking(model, true, false, translated)));
      checks.put(ending + " slow", () -> breaks(client, new Asking(slow, true, false, translated)));
    }
    return checks;
  }

  /** A whole answer is read as it is. */
  private static String holds(Client client, Asking asking) throws Exception {
    List<Turn> turns = client.ask().hold(asking);
    String said = asking.tool ? turns.get(turns.size() - 1).text() : Told.ANSWER;
    // Some clients put the result into an object of their own.
    boolean arrived = !asking.tool || said.startsWith("The tool said: ") && said.contains(Told.RESULT);
    if (!arrived) return "the result arrived as " + said;
    List<Turn> expected = new ArrayList<>(List.of(new Turn(said, "", "", "end", Told.INPUT, Told.OUTPUT)));
    if (asking.tool) expected.add(0, new Turn("", Told.TOOL, "Paris", "calls", Told.INPUT, Told.OUTPUT));
    return turns.equals(expected) ? null : "read " + turns + ", expected " + expected;
  }

  /** A broken answer is an error, never a clean end. */
  private static String breaks(Client client, Asking asking) {
    List<Turn> turns;
    try {
      turns = client.ask().hold(asking);
    } catch (ReflectiveOperationException | TimeoutException | NullPointerException | ClassCastException error) {
      return "a fault of this program or of the client: " + error;
    } catch (Exception error) {
      if (error.getClass().getSimpleName().endsWith("InvalidDataException")) return "not to be read: " + error;
      boolean late = asking.stream && asking.model.contains("slow");
      return late && !asking.seen ? "the error came before any text: " + error : null;
    }
    return "a clean end: " + turns;
  }
}

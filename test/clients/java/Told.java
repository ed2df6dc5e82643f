import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** What the starter tells, and what every client asks. */
final class Told {
  static final String QUESTION = "How is the weather in Paris?";
  static final String RESULT = "18 degrees, clear";
  static final String TOOL = "get_weather";
  static final String TOOL_TEXT = "Tells the weather of a town.";
  static final Map<String, Object> PROPERTIES = Map.of("city", Map.of("type", "string"));
  static final Map<String, Object> SCHEMA =
      Map.of("type", "object", "properties", PROPERTIES, "required", List.of("city"), "additionalProperties", false);

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNode TOLD = read(System.getenv("CLIENTS"));
  static final String URL = TOLD.get("url").asText();
  static final String KEY = TOLD.get("key").asText();
  static final String ANSWER = TOLD.get("answer").asText();
  static final long INPUT = TOLD.get("usage").get("input").asLong();
  static final long OUTPUT = TOLD.get("usage").get("output").asLong();
  static final List<String> BACKENDS =
      StreamSupport.stream(TOLD.get("backends").spliterator(), false).map(JsonNode::asText).toList();

  private Told() {}

  static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (Exception error) {
      throw new IllegalArgumentException(json, error);
    }
  }

  static String write(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (Exception error) {
      throw new IllegalArgumentException(error);
    }
  }

  /** What the call of the tool says in its arguments. */
  static String cityOf(String arguments) {
    return read(arguments).path("city").asText();
  }
}

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.googleai.GoogleAiGeminiChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.model.output.FinishReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** langchain4j's models over its default HTTP client, that of Java, which offers HTTP/2 at first. */
final class Langchain4j {
  private Langchain4j() {}

  private static final String V1 = Told.URL + "/v1";
  private static final String V1BETA = Told.URL + "/v1beta";

  static Map<String, Client> clients() {
    Map<String, Client> clients = new LinkedHashMap<>();
    clients.put(
        "langchain4j openai",
        client(
            "chatCompletions",
            name -> OpenAiChatModel.builder().baseUrl(V1).apiKey(Told.KEY).modelName(name).maxRetries(0).build(),
            name -> OpenAiStreamingChatModel.builder().baseUrl(V1).apiKey(Told.KEY).modelName(name).build()));
    clients.put(
        "langchain4j anthropic",
        client(
            "messages",
            name ->
                AnthropicChatModel.builder()
                    .baseUrl(V1)
                    .apiKey(Told.KEY)
                    .modelName(name)
                    .maxTokens(500)
                    .maxRetries(0)
                    .build(),
            name ->
                AnthropicStreamingChatModel.builder()
                    .baseUrl(V1)
                    .apiKey(Told.KEY)
                    .modelName(name)
                    .maxTokens(500)
                    .build()));
    clients.put(
        "langchain4j gemini",
        client(
            "generateContent",
            name ->
                GoogleAiGeminiChatModel.builder()
                    .baseUrl(V1BETA)
                    .apiKey(Told.KEY)
                    .modelName(name)
                    .maxRetries(0)
                    // Signatures of calls go with what it calls thinking.
                    .returnThinking(true)
                    .sendThinking(true)
                    .build(),
            name ->
                GoogleAiGeminiStreamingChatModel.builder()
                    .baseUrl(V1BETA)
                    .apiKey(Told.KEY)
                    .modelName(name)
                    .returnThinking(true)
                    .sendThinking(true)
                    .build()));
    return clients;
  }

  private static Client client(
      String dialect, Function<String, ChatModel> whole, Function<String, StreamingChatModel> streaming) {
    ToolSpecification tool =
        ToolSpecification.builder()
            .name(Told.TOOL)
            .description(Told.TOOL_TEXT)
            .parameters(JsonObjectSchema.builder().addStringProperty("city").required("city").build())
            .build();
    return new Client(
        dialect,
        asking -> {
          List<ChatMessage> messages = new ArrayList<>(List.of(UserMessage.from(Told.QUESTION)));
          List<Turn> turns = new ArrayList<>();
          while (true) {
            ChatRequest.Builder request = ChatRequest.builder().messages(messages);
            if (asking.tool) request.toolSpecifications(tool);
            ChatResponse response =
                asking.stream
                    ? stream(streaming.apply(asking.model), request.build(), asking)
                    : whole.apply(asking.model).chat(request.build());
            AiMessage message = response.aiMessage();
            turns.add(turnOf(response));
            if (!message.hasToolExecutionRequests()) return turns;
            messages.add(message);
            messages.add(ToolExecutionResultMessage.from(message.toolExecutionRequests().get(0), Told.RESULT));
          }
        });
  }

  private static Turn turnOf(ChatResponse response) {
    AiMessage message = response.aiMessage();
    List<ToolExecutionRequest> calls = message.hasToolExecutionRequests() ? message.toolExecutionRequests() : List.of();
    String name = calls.isEmpty() ? "" : calls.get(0).name();
    String city = calls.isEmpty() ? "" : Told.cityOf(calls.get(0).arguments());
    FinishReason reason = response.finishReason();
    String finish = reason == FinishReason.TOOL_EXECUTION ? "calls" : reason == FinishReason.STOP ? "end" : "";
    // Gemini's answers end alike, with calls or without.
    if (finish.equals("end") && !calls.isEmpty()) finish = "calls";
    long input = response.tokenUsage() == null ? -1 : response.tokenUsage().inputTokenCount();
    long output = response.tokenUsage() == null ? -1 : response.tokenUsage().outputTokenCount();
    return new Turn(message.text() == null ? "" : message.text(), name, city, finish, input, output);
  }

  private static ChatResponse stream(StreamingChatModel model, ChatRequest request, Asking asking) throws Exception {
    CompletableFuture<ChatResponse> done = new CompletableFuture<>();
    model.chat(
        request,
        new StreamingChatResponseHandler() {
          @Override
          public void onPartialResponse(String text) {
            asking.seen = true;
          }

          @Override
          public void onCompleteResponse(ChatResponse response) {
            done.complete(response);
          }

          @Override
          public void onError(Throwable error) {
            done.completeExceptionally(error);
          }
        });
    try {
      return done.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException error) {
      if (error.getCause() instanceof Exception cause) throw cause;
      throw error;
    }
  }
}

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.ContentBlock;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.ToolResultBlockParam;
import com.anthropic.models.messages.ToolUseBlock;
import com.google.genai.Chat;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.FunctionDeclaration;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.GenerateContentResponse;
import com.google.genai.types.HttpOptions;
import com.google.genai.types.Part;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseFunctionToolCall;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.ResponseStreamEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The official SDKs. They check every required member of what the gateway wrote; what is relayed has those of the backend. */
final class Official {
  private static final Map<String, String> FINISH =
      Map.of("stop", "end", "tool_calls", "calls", "end_turn", "end", "tool_use", "calls", "STOP", "end");

  private Official() {}

  static Map<String, Client> clients() {
    Map<String, Client> clients = new LinkedHashMap<>();
    clients.put("openai-java chat", new Client("chatCompletions", Official::chat));
    clients.put("openai-java responses", new Client("responses", Official::responses));
    clients.put("anthropic-java", new Client("messages", Official::messages));
    clients.put("google-genai", new Client("generateContent", Official::generateContent));
    return clients;
  }

  private static OpenAIClient openai(boolean validates) {
    return OpenAIOkHttpClient.builder()
        .baseUrl(Told.URL + "/v1")
        .apiKey(Told.KEY)
        .maxRetries(0)
        .responseValidation(validates)
        .build();
  }

  private static final OpenAIClient OPENAI = openai(false);
  private static final OpenAIClient STRICT_OPENAI = openai(true);

  private static AnthropicClient anthropic(boolean validates) {
    return AnthropicOkHttpClient.builder()
        .baseUrl(Told.URL)
        .apiKey(Told.KEY)
        .maxRetries(0)
        .responseValidation(validates)
        .build();
  }

  private static final AnthropicClient ANTHROPIC = anthropic(false);
  private static final AnthropicClient STRICT_ANTHROPIC = anthropic(true);

  private static final com.google.genai.Client GOOGLE =
      com.google.genai.Client.builder()
          .apiKey(Told.KEY)
          .httpOptions(HttpOptions.builder().baseUrl(Told.URL).build())
          .build();

  private static List<Turn> chat(Asking asking) {
    OpenAIClient client = asking.translated ? STRICT_OPENAI : OPENAI;
    ChatCompletionCreateParams.Builder params =
        ChatCompletionCreateParams.builder().model(asking.model).addUserMessage(Told.QUESTION);
    if (asking.tool) {
      FunctionParameters.Builder schema = FunctionParameters.builder();
      Told.SCHEMA.forEach((key, value) -> schema.putAdditionalProperty(key, JsonValue.from(value)));
      params.addFunctionTool(
          FunctionDefinition.builder().name(Told.TOOL).description(Told.TOOL_TEXT).parameters(schema.build()).build());
    }
    List<Turn> turns = new ArrayList<>();
    while (true) {
      ChatCompletion completion =
          asking.stream ? streamChat(client, params, asking) : client.chat().completions().create(params.build());
      ChatCompletion.Choice choice = completion.choices().get(0);
      List<ChatCompletionMessageFunctionToolCall> calls =
          choice.message().toolCalls().orElse(List.of()).stream().flatMap(call -> call.function().stream()).toList();
      String name = calls.isEmpty() ? "" : calls.get(0).function().name();
      String city = calls.isEmpty() ? "" : Told.cityOf(calls.get(0).function().arguments());
      String finish = FINISH.getOrDefault(choice.finishReason().asString(), "");
      long input = completion.usage().map(usage -> usage.promptTokens()).orElse(-1L);
      long output = completion.usage().map(usage -> usage.completionTokens()).orElse(-1L);
      turns.add(new Turn(choice.message().content().orElse(""), name, city, finish, input, output));
      if (calls.isEmpty()) return turns;
      params.addMessage(choice.message());
      params.addMessage(
          ChatCompletionToolMessageParam.builder().toolCallId(calls.get(0).id()).content(Told.RESULT).build());
    }
  }

  private static ChatCompletion streamChat(
      OpenAIClient client, ChatCompletionCreateParams.Builder params, Asking asking) {
    params.streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build());
    ChatCompletionAccumulator whole = ChatCompletionAccumulator.create();
    try (var stream = client.chat().completions().createStreaming(params.build())) {
      stream.stream()
          .forEach(
              chunk -> {
                whole.accumulate(chunk);
                if (chunk.choices().stream().anyMatch(choice -> !choice.delta().content().orElse("").isEmpty()))
                  asking.seen = true;
              });
    }
    return whole.chatCompletion();
  }

  private static List<Turn> responses(Asking asking) throws Exception {
    OpenAIClient client = asking.translated ? STRICT_OPENAI : OPENAI;
    ResponseCreateParams.Builder params = ResponseCreateParams.builder().model(asking.model);
    if (asking.tool) {
      FunctionTool.Parameters.Builder schema = FunctionTool.Parameters.builder();
      Told.SCHEMA.forEach((key, value) -> schema.putAdditionalProperty(key, JsonValue.from(value)));
      params.addTool(
          FunctionTool.builder()
              .name(Told.TOOL)
              .description(Told.TOOL_TEXT)
              .parameters(schema.build())
              .strict(true)
              .build());
    }
    List<ResponseInputItem> items = new ArrayList<>();
    items.add(
        ResponseInputItem.ofEasyInputMessage(
            EasyInputMessage.builder().role(EasyInputMessage.Role.USER).content(Told.QUESTION).build()));
    List<Turn> turns = new ArrayList<>();
    while (true) {
      params.inputOfResponse(items);
      Response response =
          asking.stream ? streamResponse(client, params, asking) : client.responses().create(params.build());
      List<ResponseFunctionToolCall> calls =
          response.output().stream().flatMap(item -> item.functionCall().stream()).toList();
      String text =
          response.output().stream()
              .flatMap(item -> item.message().stream())
              .flatMap(message -> message.content().stream())
              .flatMap(part -> part.outputText().stream())
              .map(part -> part.text())
              .collect(Collectors.joining());
      String name = calls.isEmpty() ? "" : calls.get(0).name();
      String city = calls.isEmpty() ? "" : Told.cityOf(calls.get(0).arguments());
      boolean complete = response.status().filter(ResponseStatus.COMPLETED::equals).isPresent();
      long input = response.usage().map(usage -> usage.inputTokens()).orElse(-1L);
      long output = response.usage().map(usage -> usage.outputTokens()).orElse(-1L);
      String finish = !complete ? "" : calls.isEmpty() ? "end" : "calls";
      turns.add(new Turn(text, name, city, finish, input, output));
      if (calls.isEmpty()) return turns;
      items.add(ResponseInputItem.ofFunctionCall(calls.get(0)));
      items.add(
          ResponseInputItem.ofFunctionCallOutput(
              ResponseInputItem.FunctionCallOutput.builder()
                  .callId(calls.get(0).callId())
                  .output(Told.RESULT)
                  .build()));
    }
  }

  private static Response streamResponse(OpenAIClient client, ResponseCreateParams.Builder params, Asking asking)
      throws Exception {
    List<ResponseStreamEvent> last = new ArrayList<>();
    try (var stream = client.responses().createStreaming(params.build())) {
      stream.stream()
          .forEach(
              event -> {
                if (event.outputTextDelta().isPresent()) asking.seen = true;
                last.clear();
                last.add(event);
              });
    }
    if (last.isEmpty()) throw new IllegalStateException("a stream without events");
    ResponseStreamEvent end = last.get(0);
    if (end.failed().isPresent()) throw new IllegalStateException("failed: " + end.failed().get().response().error());
    if (end.error().isPresent()) throw new IllegalStateException("error: " + end.error().get().message());
    return end.completed().orElseThrow(() -> new ReflectiveOperationException("it ended after " + end)).response();
  }

  private static List<Turn> messages(Asking asking) {
    AnthropicClient client = asking.translated ? STRICT_ANTHROPIC : ANTHROPIC;
    MessageCreateParams.Builder params =
        MessageCreateParams.builder().model(asking.model).maxTokens(500).addUserMessage(Told.QUESTION);
    if (asking.tool) {
      var properties = com.anthropic.models.messages.Tool.InputSchema.Properties.builder();
      Told.PROPERTIES.forEach(
          (key, value) -> properties.putAdditionalProperty(key, com.anthropic.core.JsonValue.from(value)));
      params.addTool(
          com.anthropic.models.messages.Tool.builder()
              .name(Told.TOOL)
              .description(Told.TOOL_TEXT)
              .inputSchema(
                  com.anthropic.models.messages.Tool.InputSchema.builder()
                      .properties(properties.build())
                      .required(List.of("city"))
                      .build())
              .build());
    }
    List<Turn> turns = new ArrayList<>();
    while (true) {
      Message message = asking.stream ? streamMessage(client, params, asking) : client.messages().create(params.build());
      List<ToolUseBlock> calls = message.content().stream().flatMap(block -> block.toolUse().stream()).toList();
      String text =
          message.content().stream()
              .flatMap((ContentBlock block) -> block.text().stream())
              .map(block -> block.text())
              .collect(Collectors.joining());
      String name = calls.isEmpty() ? "" : calls.get(0).name();
      String city = calls.isEmpty() ? "" : calls.get(0)._input().convert(Map.class).get("city").toString();
      String finish = message.stopReason().map(reason -> FINISH.getOrDefault(reason.asString(), "")).orElse("");
      turns.add(new Turn(text, name, city, finish, message.usage().inputTokens(), message.usage().outputTokens()));
      if (calls.isEmpty()) return turns;
      params.addMessage(message);
      params.addUserMessageOfContentBlockParams(
          List.of(
              ContentBlockParam.ofToolResult(
                  ToolResultBlockParam.builder().toolUseId(calls.get(0).id()).content(Told.RESULT).build())));
    }
  }

  private static Message streamMessage(AnthropicClient client, MessageCreateParams.Builder params, Asking asking) {
    MessageAccumulator whole = MessageAccumulator.create();
    try (var stream = client.messages().createStreaming(params.build())) {
      stream.stream()
          .forEach(
              event -> {
                whole.accumulate(event);
                if (event.contentBlockDelta().flatMap(delta -> delta.delta().text()).isPresent()) asking.seen = true;
              });
    }
    return whole.message();
  }

  private static List<Turn> generateContent(Asking asking) {
    GenerateContentConfig.Builder config = GenerateContentConfig.builder();
    if (asking.tool) {
      FunctionDeclaration declaration =
          FunctionDeclaration.builder()
              .name(Told.TOOL)
              .description(Told.TOOL_TEXT)
              .parametersJsonSchema(Told.SCHEMA)
              .build();
      config.tools(com.google.genai.types.Tool.builder().functionDeclarations(declaration).build());
    }
    Chat chat = GOOGLE.chats.create(asking.model, config.build());
    Content said = Content.builder().role("user").parts(Part.fromText(Told.QUESTION)).build();
    List<Turn> turns = new ArrayList<>();
    while (true) {
      List<FunctionCall> calls = new ArrayList<>();
      StringBuilder text = new StringBuilder();
      String finish = "";
      long input = -1;
      long output = -1;
      for (GenerateContentResponse answer :
          asking.stream ? chat.sendMessageStream(said) : List.of(chat.sendMessage(said))) {
        String piece = answer.text() == null ? "" : answer.text();
        if (!piece.isEmpty()) asking.seen = true;
        text.append(piece);
        if (answer.functionCalls() != null) calls.addAll(answer.functionCalls());
        finish =
            answer.candidates().orElse(List.of()).stream()
                .flatMap(candidate -> candidate.finishReason().stream())
                .map(reason -> FINISH.getOrDefault(reason.toString(), ""))
                .findFirst()
                .orElse(finish);
        input = answer.usageMetadata().flatMap(usage -> usage.promptTokenCount()).map(Integer::longValue).orElse(input);
        output = answer.usageMetadata().flatMap(usage -> usage.candidatesTokenCount()).map(Integer::longValue).orElse(output);
      }
      String name = calls.isEmpty() ? "" : calls.get(0).name().orElse("");
      String city = calls.isEmpty() ? "" : String.valueOf(calls.get(0).args().orElse(Map.of()).get("city"));
      if (finish.equals("end") && !calls.isEmpty()) finish = "calls";
      turns.add(new Turn(text.toString(), name, city, finish, input, output));
      if (calls.isEmpty()) return turns;
      FunctionResponse.Builder response =
          FunctionResponse.builder().name(name).response(Map.of("output", Told.RESULT));
      calls.get(0).id().ifPresent(response::id);
      said =
          Content.builder().role("user").parts(Part.builder().functionResponse(response.build()).build()).build();
    }
  }
}

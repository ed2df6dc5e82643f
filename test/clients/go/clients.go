package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	goopenai "github.com/sashabaranov/go-openai"
	"google.golang.org/genai"
)

// The clients by name.
func openClients() (map[string]client, error) {
	openaiClient := openai.NewClient(option.WithBaseURL(told.URL+"/v1"), option.WithAPIKey(told.Key), option.WithMaxRetries(0))
	anthropicClient := anthropic.NewClient(
		anthropicoption.WithBaseURL(told.URL), anthropicoption.WithAPIKey(told.Key), anthropicoption.WithMaxRetries(0),
	)
	google, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey:      told.Key,
		Backend:     genai.BackendGeminiAPI,
		HTTPOptions: genai.HTTPOptions{BaseURL: told.URL},
	})
	if err != nil {
		return nil, err
	}
	goOpenai := goopenai.DefaultConfig(told.Key)
	goOpenai.BaseURL = told.URL + "/v1"
	return map[string]client{
		"go-openai":           {"chatCompletions", goOpenaiWith(goopenai.NewClientWithConfig(goOpenai))},
		"openai-go chat":      {"chatCompletions", chatWith(openaiClient)},
		"openai-go responses": {"responses", responsesWith(openaiClient)},
		"anthropic-sdk-go":    {"messages", messagesWith(anthropicClient)},
		"genai":               {"generateContent", generateContentWith(google)},
	}, nil
}

var finishes = map[string]string{"stop": "end", "tool_calls": "calls", "end_turn": "end", "tool_use": "calls"}

func chatWith(client openai.Client) converse {
	return func(ctx context.Context, asked *asking) ([]turn, error) {
		params := openai.ChatCompletionNewParams{
			Model:    asked.model,
			Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(question)},
		}
		if asked.tool {
			params.Tools = []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
				Name: toolName, Description: openai.String(toolText), Parameters: toolSchema,
			})}
		}
		var turns []turn
		for {
			completion, err := complete(ctx, client, params, asked)
			if err != nil {
				return turns, err
			}
			if len(completion.Choices) == 0 {
				return append(turns, turn{}), nil
			}
			choice, usage := completion.Choices[0], completion.Usage
			new := turn{
				text: choice.Message.Content, finish: finishes[choice.FinishReason],
				input: usage.PromptTokens, output: usage.CompletionTokens,
			}
			calls := choice.Message.ToolCalls
			if len(calls) == 0 {
				return append(turns, new), nil
			}
			new.tool, new.city = calls[0].Function.Name, cityOf(calls[0].Function.Arguments)
			turns = append(turns, new)
			params.Messages = append(params.Messages, choice.Message.ToParam(), openai.ToolMessage(result, calls[0].ID))
		}
	}
}

func complete(
	ctx context.Context, client openai.Client, params openai.ChatCompletionNewParams, asked *asking,
) (*openai.ChatCompletion, error) {
	if !asked.stream {
		completion, err := client.Chat.Completions.New(ctx, params)
		if err != nil {
			return nil, err
		}
		return completion, asked.lacks(*completion)
	}
	params.StreamOptions.IncludeUsage = openai.Bool(true)
	stream := client.Chat.Completions.NewStreaming(ctx, params)
	defer stream.Close()
	var whole openai.ChatCompletionAccumulator
	for stream.Next() {
		chunk := stream.Current()
		if err := asked.lacks(chunk); err != nil {
			return nil, err
		}
		if !whole.AddChunk(chunk) {
			return nil, unreadable{"a chunk that does not fit those before: " + chunk.RawJSON()}
		}
		asked.seen = asked.seen || len(chunk.Choices) > 0 && chunk.Choices[0].Delta.Content != ""
	}
	return &whole.ChatCompletion, stream.Err()
}

func responsesWith(client openai.Client) converse {
	return func(ctx context.Context, asked *asking) ([]turn, error) {
		items := responses.ResponseInputParam{
			responses.ResponseInputItemParamOfMessage(question, responses.EasyInputMessageRoleUser),
		}
		params := responses.ResponseNewParams{Model: asked.model}
		if asked.tool {
			params.Tools = []responses.ToolUnionParam{{OfFunction: &responses.FunctionToolParam{
				Name: toolName, Description: openai.String(toolText), Parameters: toolSchema, Strict: openai.Bool(true),
			}}}
		}
		var turns []turn
		for {
			params.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: items}
			response, err := respond(ctx, client, params, asked)
			if err != nil {
				return turns, err
			}
			new := turn{text: response.OutputText(), input: response.Usage.InputTokens, output: response.Usage.OutputTokens}
			if response.Status == responses.ResponseStatusCompleted {
				new.finish = "end"
			}
			for _, item := range response.Output {
				if item.Type == "function_call" {
					call := item.AsFunctionCall()
					new.tool, new.city, new.finish = call.Name, cityOf(call.Arguments), "calls"
					output := responses.ResponseInputItemParamOfFunctionCallOutput(result)
					output.OfFunctionCallOutput.CallID = openai.String(call.CallID)
					items = append(
						items, responses.ResponseInputItemParamOfFunctionCall(call.Arguments, call.CallID, call.Name), output,
					)
				}
			}
			turns = append(turns, new)
			if new.tool == "" {
				return turns, nil
			}
		}
	}
}

func respond(
	ctx context.Context, client openai.Client, params responses.ResponseNewParams, asked *asking,
) (*responses.Response, error) {
	if !asked.stream {
		response, err := client.Responses.New(ctx, params)
		if err != nil {
			return nil, err
		}
		return response, asked.lacks(*response)
	}
	stream := client.Responses.NewStreaming(ctx, params)
	defer stream.Close()
	last := responses.ResponseStreamEventUnion{}
	for stream.Next() {
		last = stream.Current()
		if err := asked.lacks(last); err != nil {
			return nil, err
		}
		asked.seen = asked.seen || last.Type == "response.output_text.delta"
		if last.Type == "response.failed" || last.Type == "error" {
			return nil, fmt.Errorf("%s: %s", last.Type, last.RawJSON())
		}
	}
	return &last.Response, stream.Err()
}

func messagesWith(client anthropic.Client) converse {
	return func(ctx context.Context, asked *asking) ([]turn, error) {
		params := anthropic.MessageNewParams{
			Model:     asked.model,
			MaxTokens: 500,
			Messages:  []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(question))},
		}
		if asked.tool {
			schema := anthropic.ToolInputSchemaParam{Properties: toolSchema["properties"], Required: []string{"city"}}
			params.Tools = []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
				Name: toolName, Description: anthropic.String(toolText), InputSchema: schema,
			}}}
		}
		var turns []turn
		for {
			message, err := say(ctx, client, params, asked)
			if err != nil {
				return turns, err
			}
			new := turn{
				finish: finishes[string(message.StopReason)], input: message.Usage.InputTokens, output: message.Usage.OutputTokens,
			}
			id := ""
			for _, block := range message.Content {
				switch block.Type {
				case "text":
					new.text += block.Text
				case "tool_use":
					id, new.tool, new.city = block.ID, block.Name, cityOf(string(block.Input))
				}
			}
			turns = append(turns, new)
			if id == "" {
				return turns, nil
			}
			answer := anthropic.NewUserMessage(anthropic.NewToolResultBlock(id, result, false))
			params.Messages = append(params.Messages, message.ToParam(), answer)
		}
	}
}

func say(
	ctx context.Context, client anthropic.Client, params anthropic.MessageNewParams, asked *asking,
) (*anthropic.Message, error) {
	if !asked.stream {
		message, err := client.Messages.New(ctx, params)
		if err != nil {
			return nil, err
		}
		return message, asked.lacks(*message)
	}
	stream := client.Messages.NewStreaming(ctx, params)
	defer stream.Close()
	message := anthropic.Message{}
	for stream.Next() {
		event := stream.Current()
		if err := asked.lacks(event); err != nil {
			return nil, err
		}
		if err := message.Accumulate(event); err != nil {
			return nil, unreadable{err.Error()}
		}
		asked.seen = asked.seen || event.Delta.Text != ""
	}
	return &message, stream.Err()
}

func generateContentWith(client *genai.Client) converse {
	return func(ctx context.Context, asked *asking) ([]turn, error) {
		config := &genai.GenerateContentConfig{}
		if asked.tool {
			declaration := &genai.FunctionDeclaration{Name: toolName, Description: toolText, ParametersJsonSchema: toolSchema}
			config.Tools = []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{declaration}}}
		}
		chat, err := client.Chats.Create(ctx, asked.model, config, nil)
		if err != nil {
			return nil, err
		}
		said := genai.NewPartFromText(question)
		var turns []turn
		for {
			var call *genai.FunctionCall
			new := turn{}
			for answer, err := range answersOf(ctx, chat, said, asked.stream) {
				if err != nil {
					return turns, err
				}
				asked.seen = asked.seen || answer.Text() != ""
				new.text += answer.Text()
				for _, one := range answer.FunctionCalls() {
					call = one
				}
				if len(answer.Candidates) > 0 && answer.Candidates[0].FinishReason == genai.FinishReasonStop {
					new.finish = "end"
				}
				if usage := answer.UsageMetadata; usage != nil {
					new.input, new.output = int64(usage.PromptTokenCount), int64(usage.CandidatesTokenCount)
				}
			}
			if call == nil {
				return append(turns, new), nil
			}
			arguments, err := json.Marshal(call.Args)
			if err != nil {
				return turns, unreadable{err.Error()}
			}
			new.tool, new.city, new.finish = call.Name, cityOf(string(arguments)), map[string]string{"end": "calls"}[new.finish]
			turns = append(turns, new)
			said = genai.NewPartFromFunctionResponse(call.Name, map[string]any{"output": result})
			said.FunctionResponse.ID = call.ID
		}
	}
}

func answersOf(
	ctx context.Context, chat *genai.Chat, said *genai.Part, stream bool,
) iter.Seq2[*genai.GenerateContentResponse, error] {
	if stream {
		return chat.SendStream(ctx, said)
	}
	return func(yield func(*genai.GenerateContentResponse, error) bool) { yield(chat.Send(ctx, said)) }
}

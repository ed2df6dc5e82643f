package main

import (
	"context"
	"errors"
	"io"

	goopenai "github.com/sashabaranov/go-openai"
)

// The client that many libraries are built on or took their reader from; it knows an error in a stream by the first words of its
// frame.
func goOpenaiWith(client *goopenai.Client) converse {
	return func(ctx context.Context, asked *asking) ([]turn, error) {
		request := goopenai.ChatCompletionRequest{
			Model:    asked.model,
			Messages: []goopenai.ChatCompletionMessage{{Role: goopenai.ChatMessageRoleUser, Content: question}},
		}
		if asked.tool {
			definition := &goopenai.FunctionDefinition{Name: toolName, Description: toolText, Parameters: toolSchema}
			request.Tools = []goopenai.Tool{{Type: goopenai.ToolTypeFunction, Function: definition}}
		}
		var turns []turn
		for {
			message, new, err := goOpenaiTurn(ctx, client, request, asked)
			if err != nil {
				return turns, err
			}
			if len(message.ToolCalls) == 0 {
				return append(turns, new), nil
			}
			call := message.ToolCalls[0]
			new.tool, new.city = call.Function.Name, cityOf(call.Function.Arguments)
			turns = append(turns, new)
			request.Messages = append(request.Messages, message, goopenai.ChatCompletionMessage{
				Role: goopenai.ChatMessageRoleTool, Content: result, ToolCallID: call.ID,
			})
		}
	}
}

func goOpenaiTurn(
	ctx context.Context, client *goopenai.Client, request goopenai.ChatCompletionRequest, asked *asking,
) (goopenai.ChatCompletionMessage, turn, error) {
	if asked.stream {
		return goOpenaiStream(ctx, client, request, asked)
	}
	response, err := client.CreateChatCompletion(ctx, request)
	if err != nil {
		return goopenai.ChatCompletionMessage{}, turn{}, err
	}
	choice, usage := response.Choices[0], response.Usage
	return choice.Message, turn{
		text: choice.Message.Content, finish: finishes[string(choice.FinishReason)],
		input: int64(usage.PromptTokens), output: int64(usage.CompletionTokens),
	}, nil
}

func goOpenaiStream(
	ctx context.Context, client *goopenai.Client, request goopenai.ChatCompletionRequest, asked *asking,
) (goopenai.ChatCompletionMessage, turn, error) {
	message, new := goopenai.ChatCompletionMessage{Role: goopenai.ChatMessageRoleAssistant}, turn{}
	request.StreamOptions = &goopenai.StreamOptions{IncludeUsage: true}
	stream, err := client.CreateChatCompletionStream(ctx, request)
	if err != nil {
		return message, new, err
	}
	defer stream.Close()
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			message.Content = new.text
			return message, new, nil
		}
		if err != nil {
			return message, new, err
		}
		if usage := chunk.Usage; usage != nil {
			new.input, new.output = int64(usage.PromptTokens), int64(usage.CompletionTokens)
		}
		if len(chunk.Choices) == 0 {
			continue
		}
		choice := chunk.Choices[0]
		asked.seen = asked.seen || choice.Delta.Content != ""
		new.text += choice.Delta.Content
		if choice.FinishReason != "" {
			new.finish = finishes[string(choice.FinishReason)]
		}
		for _, call := range choice.Delta.ToolCalls {
			if call.ID != "" {
				message.ToolCalls = append(message.ToolCalls, call)
				continue
			}
			last := &message.ToolCalls[len(message.ToolCalls)-1]
			last.Function.Arguments += call.Function.Arguments
		}
	}
}

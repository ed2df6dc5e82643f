"""The official SDKs, with their strict validation on."""

import json

import anthropic
import openai
from google import genai
from google.genai import types

from checks import KEY, QUESTION, RESULT, TOOL, URL, Asking, Client, Turn

OPENAI = openai.OpenAI(
    base_url=f"{URL}/v1", api_key=KEY, max_retries=0, _strict_response_validation=True
)
ANTHROPIC = anthropic.Anthropic(base_url=URL, api_key=KEY, max_retries=0, _strict_response_validation=True)
GOOGLE = genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=URL))

FINISH = {
    "stop": "end",
    "tool_calls": "calls",
    "end_turn": "end",
    "tool_use": "calls",
}


def chat(asking: Asking) -> list[Turn]:
    """OpenAI's SDK, chat.completions."""
    messages: list = [{"role": "user", "content": QUESTION}]
    function = {"name": TOOL["name"], "description": TOOL["description"], "parameters": TOOL["schema"]}
    tools = [{"type": "function", "function": function}] if asking.tool else openai.omit
    turns: list[Turn] = []
    while True:
        asked = {"model": asking.model, "messages": messages, "tools": tools}
        if asking.stream:
            with OPENAI.chat.completions.stream(**asked, stream_options={"include_usage": True}) as stream:
                for event in stream:
                    if event.type == "content.delta":
                        asking.seen.append(event.delta)
                completion = stream.get_final_completion()
        else:
            completion = OPENAI.chat.completions.create(**asked)
        choice, usage = completion.choices[0], completion.usage
        calls = choice.message.tool_calls or []
        call = (calls[0].function.name, json.loads(calls[0].function.arguments)) if calls else None
        counts = usage and (usage.prompt_tokens, usage.completion_tokens)
        turns.append(Turn(choice.message.content or "", call, FINISH.get(choice.finish_reason), counts))
        if not calls:
            return turns
        messages += [choice.message, {"role": "tool", "tool_call_id": calls[0].id, "content": RESULT}]


def responses(asking: Asking) -> list[Turn]:
    """OpenAI's SDK, responses."""
    items: list = [{"role": "user", "content": QUESTION}]
    tool = {"type": "function", "name": TOOL["name"], "parameters": TOOL["schema"], "strict": True}
    turns: list[Turn] = []
    while True:
        asked = {"model": asking.model, "input": items, "tools": [tool] if asking.tool else openai.omit, "store": False}
        response = stream_response(asking, asked) if asking.stream else OPENAI.responses.create(**asked)
        if response.status == "failed":
            raise openai.OpenAIError(f"failed: {response.error}")
        calls = [item for item in response.output if item.type == "function_call"]
        call = (calls[0].name, json.loads(calls[0].arguments)) if calls else None
        finish = ("calls" if calls else "end") if response.status == "completed" else None
        usage = response.usage and (response.usage.input_tokens, response.usage.output_tokens)
        turns.append(Turn(response.output_text, call, finish, usage))
        if not calls:
            return turns
        items += [item.model_dump(exclude_none=True) for item in response.output]
        items.append({"type": "function_call_output", "call_id": calls[0].call_id, "output": RESULT})


def stream_response(asking: Asking, asked: dict):
    """The response in the last event of a stream."""
    last = None
    for event in OPENAI.responses.create(**asked, stream=True):
        if event.type == "response.output_text.delta":
            asking.seen.append(event.delta)
        last = event
    assert last is not None and hasattr(last, "response"), f"the stream ended after {last}"
    return last.response


def messages(asking: Asking) -> list[Turn]:
    """Anthropic's SDK."""
    history: list = [{"role": "user", "content": QUESTION}]
    tool = {"name": TOOL["name"], "description": TOOL["description"], "input_schema": TOOL["schema"]}
    turns: list[Turn] = []
    while True:
        asked = {"model": asking.model, "max_tokens": 500, "messages": history}
        if asking.tool:
            asked["tools"] = [tool]
        if asking.stream:
            with ANTHROPIC.messages.stream(**asked) as stream:
                for text in stream.text_stream:
                    asking.seen.append(text)
                message = stream.get_final_message()
        else:
            message = ANTHROPIC.messages.create(**asked)
        calls = [block for block in message.content if block.type == "tool_use"]
        call = (calls[0].name, calls[0].input) if calls else None
        text = "".join(block.text for block in message.content if block.type == "text")
        usage = (message.usage.input_tokens, message.usage.output_tokens)
        turns.append(Turn(text, call, FINISH.get(message.stop_reason or ""), usage))
        if not calls:
            return turns
        history.append({"role": "assistant", "content": message.content})
        result = {"type": "tool_result", "tool_use_id": calls[0].id, "content": RESULT}
        history.append({"role": "user", "content": [result]})


def generate_content(asking: Asking) -> list[Turn]:
    """Google's SDK, with its own chat, which keeps the history."""
    declaration = types.FunctionDeclaration(
        name=TOOL["name"], description=TOOL["description"], parameters_json_schema=TOOL["schema"]
    )
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declaration])] if asking.tool else None,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    chat_of_google = GOOGLE.chats.create(model=asking.model, config=config)
    said: str | types.Part = QUESTION
    turns: list[Turn] = []
    while True:
        if asking.stream:
            answers = chat_of_google.send_message_stream(said)
        else:
            answers = iter([chat_of_google.send_message(said)])
        calls: list[types.FunctionCall] = []
        text, finish, usage = "", None, None
        for answer in answers:
            candidate = answer.candidates[0]
            piece = "".join(part.text or "" for part in candidate.content.parts or [])
            if piece:
                asking.seen.append(piece)
            text += piece
            calls += answer.function_calls or []
            finish = candidate.finish_reason or finish
            usage = answer.usage_metadata or usage
        call = (calls[0].name, calls[0].args) if calls else None
        told = ("calls" if calls else "end") if finish == types.FinishReason.STOP else None
        counts = usage and (usage.prompt_token_count, usage.candidates_token_count)
        turns.append(Turn(text, call, told, counts))
        if not calls:
            return turns
        response = types.FunctionResponse(id=calls[0].id, name=calls[0].name, response={"output": RESULT})
        said = types.Part(function_response=response)


CLIENTS = [
    Client("openai chat", chat),
    Client("openai responses", responses),
    Client("anthropic", messages),
    Client("google-genai", generate_content),
]

"""Libraries that hold the conversation themselves: pydantic-ai and OpenAI's agents."""

import asyncio
import json
import threading

import agents
import anthropic
import openai
from google.genai import Client as GoogleClient
from google.genai.types import HttpOptions
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider

from checks import KEY, QUESTION, RESULT, URL, Asking, Client, Turn


# One loop for all conversations: what a client opened in a loop it also closes there.
LOOP = asyncio.new_event_loop()
threading.Thread(target=LOOP.run_forever, daemon=True).start()

OPENAI = openai.AsyncOpenAI(base_url=f"{URL}/v1", api_key=KEY, max_retries=0, _strict_response_validation=True)
ANTHROPIC = anthropic.AsyncAnthropic(base_url=URL, api_key=KEY, max_retries=0, _strict_response_validation=True)
GOOGLE = GoogleClient(api_key=KEY, http_options=HttpOptions(base_url=URL))


def in_loop(converse):
    """A conversation for those who wait for it in a thread."""
    return lambda asking: asyncio.run_coroutine_threadsafe(converse(asking), LOOP).result()


PYDANTIC_AI = {
    "pydantic-ai chat": lambda name: OpenAIChatModel(name, provider=OpenAIProvider(openai_client=OPENAI)),
    "pydantic-ai responses": lambda name: OpenAIResponsesModel(name, provider=OpenAIProvider(openai_client=OPENAI)),
    "pydantic-ai anthropic": lambda name: AnthropicModel(name, provider=AnthropicProvider(anthropic_client=ANTHROPIC)),
    "pydantic-ai google": lambda name: GoogleModel(name, provider=GoogleProvider(client=GOOGLE)),
}
FINISH = {"stop": "end", "tool_call": "calls"}


def get_weather(city: str) -> str:
    """Tells the weather of a town."""
    return RESULT


def pydantic_ai_client(name: str) -> Client:
    async def converse(asking: Asking) -> list[Turn]:
        agent = Agent(PYDANTIC_AI[name](asking.model), tools=[get_weather] if asking.tool else [])
        if not asking.stream:
            return turns_of((await agent.run(QUESTION)).all_messages())
        async with agent.run_stream(QUESTION) as run:
            async for piece in run.stream_text(delta=True, debounce_by=None):
                asking.seen.append(piece)
            return turns_of(run.all_messages())

    def turns_of(messages) -> list[Turn]:
        return [turn_of(message) for message in messages if isinstance(message, ModelResponse)]

    def turn_of(response: ModelResponse) -> Turn:
        calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
        call = (calls[0].tool_name, calls[0].args_as_dict()) if calls else None
        finish = FINISH.get(response.finish_reason or "")
        usage = (response.usage.input_tokens, response.usage.output_tokens)
        # Google's models and responses end alike, with calls or without.
        return Turn(response.text or "", call, "calls" if finish == "end" and calls else finish, usage)

    return Client(name, in_loop(converse))


OPENAI_AGENTS = {
    "openai-agents chat": agents.OpenAIChatCompletionsModel,
    "openai-agents responses": agents.OpenAIResponsesModel,
}


def openai_agents_client(name: str) -> Client:
    async def converse(asking: Asking) -> list[Turn]:
        model = OPENAI_AGENTS[name](model=asking.model, openai_client=OPENAI)
        tools = [agents.function_tool(get_weather)] if asking.tool else []
        settings = agents.ModelSettings(include_usage=True)
        agent = agents.Agent(name="weather", model=model, tools=tools, model_settings=settings)
        if asking.stream:
            run = agents.Runner.run_streamed(agent, QUESTION)
            async for event in run.stream_events():
                if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                    asking.seen.append(event.data.delta)
        else:
            run = await agents.Runner.run(agent, QUESTION)
        return [turn_of(response) for response in run.raw_responses]

    def turn_of(response) -> Turn:
        calls = [item for item in response.output if item.type == "function_call"]
        call = (calls[0].name, json.loads(calls[0].arguments)) if calls else None
        texts = [part.text for item in response.output if item.type == "message" for part in item.content]
        usage = (response.usage.input_tokens, response.usage.output_tokens)
        return Turn("".join(texts), call, None, usage)

    return Client(name, in_loop(converse), tells_finish=False)


agents.set_tracing_disabled(True)

CLIENTS = [
    *(pydantic_ai_client(name) for name in PYDANTIC_AI),
    *(openai_agents_client(name) for name in OPENAI_AGENTS),
]

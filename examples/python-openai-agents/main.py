"""An agent with a tool, and the same conversation with a model of another vendor, streamed."""

import asyncio
import os

from agents import Agent, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

URL = os.environ.get("INTERLINGUA_URL", "http://127.0.0.1:8080")
KEY = os.environ.get("INTERLINGUA_KEY", "any")

# Traces would be sent to OpenAI.
set_tracing_disabled(True)
client = AsyncOpenAI(base_url=f"{URL}/v1", api_key=KEY)


@function_tool
def get_weather(city: str) -> str:
    """Tells the weather of a city."""
    return f"18 degrees and clear in {city}"


def agent(model: str) -> Agent:
    return Agent(name="weather", model=OpenAIResponsesModel(model, openai_client=client), tools=[get_weather])


async def main() -> None:
    first = await Runner.run(agent("sim-messages"), "How is the weather? Use get_weather.")
    print(f"sim-messages: {first.final_output}")
    history = [*first.to_input_list(), {"role": "user", "content": "And now? Use get_weather."}]
    second = Runner.run_streamed(agent("sim-generate-content"), history)
    print("sim-generate-content: ", end="")
    async for event in second.stream_events():
        if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
            print(event.data.delta, end="")
    print()


asyncio.run(main())

"""An agent with a tool, and one with a typed result, over backends of other vendors."""

import os

from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

URL = os.environ.get("INTERLINGUA_URL", "http://127.0.0.1:8080")
KEY = os.environ.get("INTERLINGUA_KEY", "any")


class Place(BaseModel):
    city: str
    country: str


def get_weather(city: str) -> str:
    """Tells the weather of a city."""
    return f"18 degrees and clear in {city}"


claude_style = AnthropicModel("sim-responses", provider=AnthropicProvider(base_url=URL, api_key=KEY))
openai_style = OpenAIResponsesModel("sim-messages", provider=OpenAIProvider(base_url=f"{URL}/v1", api_key=KEY))

weather = Agent(claude_style, tools=[get_weather]).run_sync("How is the weather? Use get_weather.")
print(f"weather: {weather.output}")

place = Agent(openai_style, output_type=NativeOutput(Place)).run_sync("Where is the Eiffel tower?")
print(f"place: {place.output!r}")

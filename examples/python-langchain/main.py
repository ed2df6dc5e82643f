"""LangChain's models of three vendors, each over a backend of another one, with a tool."""

import os

from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI

URL = os.environ.get("INTERLINGUA_URL", "http://127.0.0.1:8080")
KEY = os.environ.get("INTERLINGUA_KEY", "any")

MODELS = [
    ChatOpenAI(model="sim-messages", base_url=f"{URL}/v1", api_key=KEY),
    ChatAnthropic(model="sim-generate-content", base_url=URL, api_key=KEY, max_tokens=500),
    ChatGoogleGenerativeAI(model="sim-responses", base_url=URL, api_key=KEY),
]


@tool
def get_weather(city: str) -> str:
    """Tells the weather of a city."""
    return f"18 degrees and clear in {city}"


for model in MODELS:
    bound = model.bind_tools([get_weather])
    messages = [HumanMessage("How is the weather? Use get_weather.")]
    answer = bound.invoke(messages)
    messages.append(answer)
    for call in answer.tool_calls:
        messages.append(ToolMessage(get_weather.invoke(call["args"]), tool_call_id=call["id"]))
    print(f"{type(model).__name__}: {''.join(chunk.text for chunk in bound.stream(messages))}")

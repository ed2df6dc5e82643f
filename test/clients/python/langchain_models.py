"""LangChain's models."""

from langchain_anthropic import ChatAnthropic
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage, HumanMessage, ToolMessage
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI

from checks import KEY, QUESTION, RESULT, TOOL, URL, Asking, Client, Turn

CHAT = {"base_url": f"{URL}/v1", "api_key": KEY, "max_retries": 0}
# By the name of the client: the class, and what makes one for a model besides its name.
MODELS: dict[str, tuple[type[BaseChatModel], dict]] = {
    "langchain-openai chat": (ChatOpenAI, {**CHAT, "use_responses_api": False, "stream_usage": True}),
    "langchain-openai responses": (ChatOpenAI, {**CHAT, "use_responses_api": True}),
    "langchain-anthropic": (ChatAnthropic, {"base_url": URL, "api_key": KEY, "max_retries": 0, "max_tokens": 500}),
    "langchain-google-genai": (ChatGoogleGenerativeAI, {"base_url": URL, "api_key": KEY, "max_retries": 1}),
}
FINISH = {"stop": "end", "tool_calls": "calls", "end_turn": "end", "tool_use": "calls", "completed": "end"}


def finish_of(answer: BaseMessage) -> str | None:
    told = answer.response_metadata
    word = told.get("finish_reason") or told.get("stop_reason") or told.get("status") or ""
    finish = FINISH.get(word.lower())
    # Google's models and responses end alike, with calls or without.
    return "calls" if finish == "end" and answer.tool_calls else finish


def client_of(name: str) -> Client:
    made, options = MODELS[name]
    tool = {"name": TOOL["name"], "description": TOOL["description"], "parameters": TOOL["schema"]}

    def converse(asking: Asking) -> list[Turn]:
        model = made(model=asking.model, **options)
        bound = model.bind_tools([{"type": "function", "function": tool}]) if asking.tool else model
        messages: list[BaseMessage] = [HumanMessage(QUESTION)]
        turns: list[Turn] = []
        while True:
            answer = stream(bound, messages, asking) if asking.stream else bound.invoke(messages)
            usage = answer.usage_metadata
            counts = usage and (usage["input_tokens"], usage["output_tokens"])
            calls = answer.tool_calls
            call = (calls[0]["name"], calls[0]["args"]) if calls else None
            turns.append(Turn(answer.text, call, finish_of(answer), counts))
            if not calls:
                return turns
            messages += [answer, ToolMessage(RESULT, tool_call_id=calls[0]["id"])]

    return Client(name, converse)


def stream(model, messages: list[BaseMessage], asking: Asking) -> AIMessageChunk:
    whole = None
    for chunk in model.stream(messages):
        if chunk.text:
            asking.seen.append(chunk.text)
        whole = chunk if whole is None else whole + chunk
    return whole


CLIENTS = [client_of(name) for name in MODELS]

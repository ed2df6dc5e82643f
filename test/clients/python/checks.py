"""What every client is asked, and what it has to read of the answers."""

import json
import os
import sys
from dataclasses import dataclass, field
from typing import Callable

import anthropic
import openai
import pydantic

TOLD = json.loads(os.environ["CLIENTS"])
URL: str = TOLD["url"]
KEY: str = TOLD["key"]
BACKENDS: list[str] = TOLD["backends"]

QUESTION = "How is the weather in Paris?"
RESULT = "18 degrees, clear"
TOOL = {
    "name": "get_weather",
    "description": "Tells the weather of a town.",
    "schema": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
}


@dataclass
class Turn:
    """One answer in no client's words. None stands for what a client does not tell."""

    text: str
    call: tuple[str, dict] | None = None
    finish: str | None = None
    usage: tuple[int, int] | None = None


@dataclass
class Asking:
    """One conversation: of one turn, or with a tool and two."""

    model: str
    stream: bool
    tool: bool
    # Every piece of text as it came, also where the stream then breaks.
    seen: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Client:
    """Holds a conversation and gives its turns; raises what the client raises."""

    name: str
    converse: Callable[[Asking], list[Turn]]
    tells_finish: bool = True
    tells_usage: bool = True


# Faults of this program, and answers that a client cannot read: no sign that it was told of the failure.
NO_ERROR = (
    AssertionError,
    AttributeError,
    KeyError,
    NameError,
    TypeError,
    pydantic.ValidationError,
    anthropic.APIResponseValidationError,
    openai.APIResponseValidationError,
)


def holds(client: Client, backend: str, form: str, stream: bool, tool: bool) -> None:
    """A whole answer is read as it is."""
    turns = client.converse(Asking(f"{backend}-{form}", stream, tool))
    usage = (TOLD["usage"]["input"], TOLD["usage"]["output"]) if client.tells_usage else None
    said = turns[-1].text if tool else TOLD["answer"]
    expected = [Turn(said, None, "end" if client.tells_finish else None, usage)]
    if tool:
        call = (TOOL["name"], {"city": "Paris"})
        expected.insert(0, Turn("", call, "calls" if client.tells_finish else None, usage))
    # Some clients put the result into an object of their own.
    assert not tool or (said.startswith("The tool said: ") and RESULT in said), f"the result arrived as {said}"
    assert turns == expected, f"read {turns}, expected {expected}"


def breaks(client: Client, backend: str, form: str, stream: bool) -> None:
    """A broken answer is an error, never a clean end."""
    asking = Asking(f"{backend}-{form}", stream, False)
    try:
        turns = client.converse(asking)
    except NO_ERROR:
        raise
    except Exception:
        assert not (stream and form.startswith("slow")) or asking.seen, "the error came before any text"
        return
    raise AssertionError(f"a clean end: {turns}")


def checks_of(client: Client, backend: str) -> dict[str, Callable[[], None]]:
    """The checks of one client over one backend, by name."""
    checks: dict[str, Callable[[], None]] = {}
    for tool in (False, True):
        what = "tool" if tool else "text"
        for how, form, stream in (("whole", "plain", False), ("streamed", "plain", True), ("slow", "slow", True)):
            checks[f"{what} {how}"] = lambda f=form, s=stream, t=tool: holds(client, backend, f, s, t)
    for ending in ("error", "cut", "early"):
        checks[f"{ending} whole"] = lambda e=ending: breaks(client, backend, e, False)
        checks[f"{ending} streamed"] = lambda e=ending: breaks(client, backend, e, True)
        checks[f"{ending} slow"] = lambda e=ending: breaks(client, backend, f"slow-{e}", True)
    return checks


def report(client: str, backend: str, check: str, why: str | None) -> None:
    """One row for the reader of this program's output, in one write: others report at the same time."""
    sys.stdout.write(json.dumps({"client": client, "backend": backend, "check": check, "why": why}) + "\n")
    sys.stdout.flush()

"""Interface between the seat of a model and a server: one call, the pieces of its answer, one reply.

The dialects (`openai`, `anthropic`) implement it; `model` makes turns of replies. Knows neither debates nor vendors.
One call is one HTTP request; only the caller repeats it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol

from debate_core.spec.values import Json, Usage

ReplyStatus = Literal["complete", "tool", "length", "refusal", "filtered", "cut", "timeout", "malformed", "error"]
"""`complete` only if the stream came to its own end, `tool` if the model calls a tool instead of replying; `cut` if the
stream stopped before its end; `malformed` if it was no stream."""

Structured = Literal["schema", "json", "prompt"]
"""How one call asks for a JSON reply, or for plain text."""

OnPiece = Callable[[str, str], None]
"""Receives (more text, more thinking) as they come; one of them is empty."""


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """A tool that the model may call instead of replying."""

    name: str
    description: str
    parameters: Mapping[str, Json]
    """JSON schema of its arguments."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request. `system` and the first `blocks` are the same bytes for every seat of a debate."""

    system: str
    blocks: tuple[str, ...]
    """Question, sources, then one block for each turn, oldest first."""
    breakpoints: tuple[int, ...]
    """Indexes of the blocks after which a cache should end: the last source and the last turn."""
    tail: str
    """The seat and its task; never cached."""
    schema: Mapping[str, Json]
    """JSON schema of the reply; every field is required. A dialect whose servers accept no ranges removes them
    (`HttpWire.adapt_schema`)."""
    max_tokens: int
    structured: Structured
    cache_key: str = ""
    """Equal for all calls with a common beginning, so that a vendor routes them to the machine that cached it."""
    tools: tuple[ToolOffer, ...] = ()
    keeps_an_hour: bool = False
    """True if people act between calls, which is longer than a cache of minutes lasts."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of a call. `usage` has no cost yet; `message` gives the reason for an incomplete reply, without
    secrets."""

    status: ReplyStatus
    text: str
    usage: Usage
    message: str = ""
    permanent: bool = False
    """True if the same call would fail again: key, quota, unknown model, redirect."""
    retry_after_ms: int = 0
    """Wait that the server asks for, unlimited; 1 if it names none, 0 = the next call can be made at once."""
    transport: bool = False
    """True if the fault is not about the prompt: no reply came, or its stream broke off."""
    began: bool = False
    """True with `transport` if a reply had begun, which must be paid."""
    schema_refused: bool = False
    """True if the server rejects the enforced schema."""
    reached: bool = False
    """True if the server was reached: it refuses the call permanently, or has begun a reply that is late."""
    unknown_end: str = ""
    """The server's word for the end of a complete reply, if no dialect knows it: the reply may be cut off."""
    tool_name: str = ""
    """The tool that the model calls, with `tool` alone; the first one if it calls several."""
    tool_arguments: str = ""
    """Its arguments as the model wrote them, usually JSON."""
    max_tokens: int = 0
    """Limit of the reply: lower than requested if the server accepts less."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that a server offers. None = the server does not say."""

    id: str
    context_tokens: int | None = None
    """Tokens that fit into one call."""
    retires: date | None = None


class Wire(Protocol):
    """A connection to one server. `ask` raises only cancellation and bugs of this program."""

    async def ask(self, call: Call, on_piece: OnPiece, *, deadline_s: float) -> Reply: ...

    async def models(self, *, deadline_s: float) -> tuple[Offer, ...]:
        """List the models that the server offers; SeatError if it does not list them."""

    async def context_tokens(self, *, deadline_s: float) -> int | None:
        """Tokens that fit into one call, if only the loaded model knows them; None = the server does not say."""

    async def close(self) -> None: ...

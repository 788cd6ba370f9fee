"""What passes between the seat of a model and the wire: one call, the pieces of its answer, one reply.

The dialects (`openai`, `anthropic`) speak it to their servers; `model` makes turns of it. Knows neither debates nor
vendors. One call is one HTTP request: whoever wants another one asks again, visibly.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol

from debate_core.spec.values import Json, Usage

ReplyStatus = Literal["complete", "length", "refusal", "filtered", "cut", "timeout", "malformed", "error"]
"""`complete` only if the stream came to its own end; `cut` if it stopped before; `malformed` if it was no stream."""

Structured = Literal["schema", "json", "prompt"]
"""How one call asks for a JSON reply, or for text."""

OnPiece = Callable[[str, str], None]
"""Is told (more text, more thinking) as they come; one of them is empty."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request. `system` and `blocks` are the same bytes for every seat of a debate, as far as they go."""

    system: str
    blocks: tuple[str, ...]
    """Question, sources, then one block for each turn that is seen, oldest first."""
    breakpoints: tuple[int, ...]
    """Indexes of the blocks after which a cache should end: the last source, the last turn."""
    tail: str
    """Who the seat is and what it is asked now; never cached."""
    schema: Mapping[str, Json]
    """JSON schema of the reply: every field required. Ranges stay in it: a dialect whose servers take none leaves them
    out itself (`HttpWire.adapt_schema`)."""
    max_tokens: int
    structured: Structured
    cache_key: str = ""
    """The same for all calls that share a beginning, so that they reach the machine that has it."""
    keeps_an_hour: bool = False
    """True where people act between calls: a cache that is kept for minutes would be gone."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a call. `usage` has no cost yet; `message` says why it is not complete and holds no secret."""

    status: ReplyStatus
    text: str
    usage: Usage
    message: str = ""
    permanent: bool = False
    """True if the same call would fail again: key, quota, unknown model, redirect."""
    retry_after_ms: int = 0
    """What the server asks to wait, however long that is; 1 where it does not say, 0 = the next call can be made at
    once."""
    transport: bool = False
    """True if the fault says nothing of what was asked: no reply came, or its stream broke off."""
    began: bool = False
    """True with `transport` if a reply had begun: what came of it has to be paid."""
    schema_refused: bool = False
    """True if the server rejects the way in which a JSON reply was asked for."""
    reached: bool = False
    """True if the server was reached: it refuses the call for good, or has begun a reply that is late."""
    unknown_end: str = ""
    """What the server calls the end of a complete reply, where no dialect knows the word: it may be cut off."""
    max_tokens: int = 0
    """Most that the reply could have: fewer than asked where the server takes no more."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that a server offers. None = the server does not say."""

    id: str
    context_tokens: int | None = None
    """What fits into one call."""
    retires: date | None = None


class Wire(Protocol):
    """A connection to one server. `ask` raises nothing but cancellation and bugs of this program."""

    async def ask(self, call: Call, on_piece: OnPiece, *, deadline_s: float) -> Reply: ...

    async def models(self, *, deadline_s: float) -> tuple[Offer, ...]:
        """The models that the server offers. SeatError says why it does not."""

    async def context_tokens(self, *, deadline_s: float) -> int | None:
        """What fits into one call, where only the loaded model knows; None = the server does not say."""

    async def close(self) -> None: ...

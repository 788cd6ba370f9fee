"""Where models answer, what they cost, and the prompts they are given, as recorded with a debate. Holds no key.

Values only. Part of every Spec; written by the panel file and the command line.
"""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from debate_core.spec.values import Amount, SeatId, Text, Value

Dialect = Literal["chat", "responses", "messages"]
Structure = Literal["schema", "json", "prompt", "two_step"]


class Price(Value):
    """USD per million tokens, as decimal text: what the operator of a server says instead of the price table."""

    input: Amount
    output: Amount
    cached: Amount | None = None
    """None = cached tokens cost as much as others."""
    written: Amount | None = None
    """Of tokens that are written into a cache; None = as much as others."""


def _as_text(value: object) -> object:
    """A whole number as text: `temperature = 0` says what `"0"` says."""
    return str(value) if type(value) is int else value


class ModelLine(Value):
    """Where a model answers and how it is asked: a line of the panel file, recorded with the debate. Holds no key.

    `base_url`: the root for `messages`, the /v1 URL for `chat` and `responses`; empty = the vendor's own.
    """

    id: SeatId
    model: Annotated[str, Field(max_length=200)] = ""
    """As the server calls it; empty = to be chosen from the server's own list."""
    provider: Annotated[str, Field(pattern=r"^[a-z0-9_.-]{1,40}$")]
    family: Annotated[str, Field(max_length=80)] = ""
    """Who trained it; models of one family may share their errors."""
    dialect: Dialect
    base_url: Annotated[str, Field(max_length=300)] = ""
    key_env: Annotated[str, Field(pattern=r"^([A-Z][A-Z0-9_]{0,79})?$")] = ""
    """Name of the variable that holds the key; empty = none is sent."""
    effort: Literal["", "none", "minimal", "low", "medium", "high", "xhigh", "max"] = ""
    max_tokens: Annotated[int, Field(ge=64, le=128_000)] = 4_000
    """Most that one reply may have, thinking included."""
    max_key: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """What the chat dialect calls that limit."""
    context_tokens: Annotated[int, Field(ge=0, le=100_000_000)] = 0
    """What fits into one call; 0 = unknown."""
    structured: Structure = "schema"
    """How a JSON reply is asked for: enforced schema, JSON mode, or by the prompt alone. `two_step`: a debater writes
    prose and is then asked for its ballot alone, in a second request of the same turn."""
    warm_cache: bool = False
    """True where a prefix is worth waiting for: the first seat's first token comes before the others are asked."""
    price: Price | None = None
    """Instead of the price table."""
    deadline_s: Annotated[int, Field(ge=1, le=86_400)] | None = None
    """How long one call may take; None = as long as a turn may take everywhere else."""
    parallel: Annotated[int, Field(ge=1, le=256)] | None = None
    """How many calls the server answers at once; None = one on this machine, any number elsewhere."""
    tokens_per_minute: Annotated[int, Field(ge=1, le=1_000_000_000)] | None = None
    """How many tokens of prompts and replies its server takes in a minute; None = any number."""
    temperature: Annotated[Amount, BeforeValidator(_as_text)] | None = None
    """None = as the server likes."""
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    """Of the server's own dice, where it has some."""
    extra: Annotated[str, Field(max_length=4_000)] | None = None
    """A JSON object whose fields go into the body of each call; as text, because records hold no fractions."""


class Template(Value):
    """A prompt template of this debate: its digest, and its text if it is not the shipped one."""

    name: Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    text: Text = ""

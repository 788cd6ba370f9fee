"""Model lines, prices and prompt templates, as recorded with a debate. They contain no keys.

Values only. Part of every Spec; written by the panel file and the command line.
"""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from debate_core.spec.values import Amount, SeatId, Text, Value

Dialect = Literal["chat", "responses", "messages"]
Structure = Literal["schema", "json", "prompt", "two_step"]


class Price(Value):
    """USD per million tokens, as decimal text: the operator's price in place of the price table."""

    input: Amount
    output: Amount
    cached: Amount | None = None
    """None = the input price."""
    written: Amount | None = None
    """Price of tokens written into a cache; None = the input price."""


def _as_text(value: object) -> object:
    """Accept a whole number as text: `temperature = 0` equals `"0"`."""
    return str(value) if type(value) is int else value


class ModelLine(Value):
    """A model on a server: a line of the panel file, recorded with the debate. Contains no key.

    `base_url`: the root for `messages`, the /v1 URL for `chat` and `responses`; "" = the vendor's address.
    """

    id: SeatId
    model: Annotated[str, Field(max_length=200)] = ""
    """The server's name for it; "" = to be chosen from the server's list."""
    provider: Annotated[str, Field(pattern=r"^[a-z0-9_.-]{1,40}$")]
    family: Annotated[str, Field(max_length=80)] = ""
    """The model's maker; models of one family may share errors."""
    dialect: Dialect
    base_url: Annotated[str, Field(max_length=300)] = ""
    key_env: Annotated[str, Field(pattern=r"^([A-Z][A-Z0-9_]{0,79})?$")] = ""
    """The environment variable with the key; "" = no key is sent."""
    effort: Literal["", "none", "minimal", "low", "medium", "high", "xhigh", "max"] = ""
    max_tokens: Annotated[int, Field(ge=64, le=128_000)] = 4_000
    """Maximum length of one reply, thinking included."""
    max_key: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """The name of that limit in the chat dialect."""
    context_tokens: Annotated[int, Field(ge=0, le=100_000_000)] = 0
    """Context window of one call; 0 = unknown."""
    structured: Structure = "schema"
    """The method for JSON replies: enforced schema, JSON mode, or the prompt alone. `two_step`: a debater writes prose
    and then gives its ballot in a second request of the same turn."""
    warm_cache: bool = False
    """True to wait for the first seat's first token before the other calls, so that they can use the cached prefix."""
    price: Price | None = None
    """Replaces the price table."""
    deadline_s: Annotated[int, Field(ge=1, le=86_400)] | None = None
    """Timeout of one call; None = the general timeout of a turn."""
    parallel: Annotated[int, Field(ge=1, le=256)] | None = None
    """Concurrent calls to the server; None = one for a server on this machine, unlimited elsewhere."""
    tokens_per_minute: Annotated[int, Field(ge=1, le=1_000_000_000)] | None = None
    """The server's rate limit for prompts and replies; None = unlimited."""
    temperature: Annotated[Amount, BeforeValidator(_as_text)] | None = None
    """None = the server's default."""
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    """Seed for the server's sampling, where supported."""
    extra: Annotated[str, Field(max_length=4_000)] | None = None
    """A JSON object whose fields are added to the body of each call; text, since records contain no fractions."""


class Template(Value):
    """A prompt template of this debate: its digest, and its text if it differs from the shipped one."""

    name: Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    text: Text = ""

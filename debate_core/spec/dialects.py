"""Table of the dialects of model servers; `seats.wires` speaks them.

Values only. Set-up, the panel file, the command line and the seats read it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, assert_never, get_args

from debate_core.sentence import Sentence
from debate_core.spec.models import Dialect

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
COMPATIBLE: Dialect = "chat"
"""The dialect of most servers, in which most of them enforce a schema."""


@dataclass(frozen=True, slots=True)
class Vendor:
    """A company whose library knows its address, so that a line may leave `base_url` out."""

    provider: str
    """Its `provider` and `family` in a line."""
    key_env: str
    """The usual variable of its key."""
    max_key: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """The name of the field that limits a reply, where the dialect leaves that to the line."""


ANTHROPIC = Vendor("anthropic", "ANTHROPIC_API_KEY")
OPENAI = Vendor("openai", "OPENAI_API_KEY", "max_completion_tokens")


@dataclass(frozen=True, slots=True)
class DialectFacts:
    """One row of the table."""

    title: Sentence
    """Its name and its address, in the list of set-up."""
    takes_root: bool = False
    """True if `base_url` is the root of the server, False if it is the address that ends in /v1."""
    vendor: Vendor | None = None
    """The company at whose own address it is spoken."""
    is_vendors_first: bool = False
    """True for the dialect in which this vendor is asked unless a line says otherwise."""
    keeps_an_hour: bool = False
    """True if a call can ask the server to keep its cache for an hour, and pays for that."""


def dialect_facts(dialect: Dialect) -> DialectFacts:
    """The row of this dialect."""
    match dialect:
        case "chat":
            return DialectFacts(Sentence("chat · OpenAI-like, address with /v1"), vendor=OPENAI)
        case "responses":
            return DialectFacts(
                Sentence("responses · OpenAI-like, address with /v1"), vendor=OPENAI, is_vendors_first=True
            )
        case "messages":
            return DialectFacts(
                Sentence("messages · Anthropic-like, address without /v1"),
                takes_root=True,
                vendor=ANTHROPIC,
                is_vendors_first=True,
                keeps_an_hour=True,
            )
        case _:
            assert_never(dialect)


def _of_vendors() -> Mapping[str, tuple[Dialect, ...]]:
    found: dict[str, tuple[Dialect, ...]] = {}
    for dialect in sorted(DIALECTS, key=lambda d: not dialect_facts(d).is_vendors_first):
        if vendor := dialect_facts(dialect).vendor:
            found[vendor.provider] = (*found.get(vendor.provider, ()), dialect)
    return dict(sorted(found.items()))


VENDOR_DIALECTS: Mapping[str, tuple[Dialect, ...]] = _of_vendors()
"""Provider -> the dialects that it speaks at its own address, its first one first."""

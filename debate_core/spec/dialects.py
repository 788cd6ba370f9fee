"""The table of dialects of model servers; `seats.providers` implements them.

Values only. Used by set-up, the panel file, the command line and the seats.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, assert_never, get_args

from debate_core.sentence import Sentence
from debate_core.spec.models import Dialect

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
COMPATIBLE: Dialect = "chat"
"""The dialect of most servers; most of them enforce a schema in it."""


@dataclass(frozen=True, slots=True)
class Vendor:
    """A company with a known address, so that a line may omit `base_url`."""

    provider: str
    """Its `provider` and `family` in a line."""
    key_env: str
    """The usual environment variable of its key."""
    max_key: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """The name of the field that limits a reply, where the dialect allows several."""


ANTHROPIC = Vendor("anthropic", "ANTHROPIC_API_KEY")
OPENAI = Vendor("openai", "OPENAI_API_KEY", "max_completion_tokens")


@dataclass(frozen=True, slots=True)
class DialectFacts:
    """One row of the table."""

    title: Sentence
    """Its name and address, as listed in set-up."""
    takes_root: bool = False
    """True if `base_url` is the root of the server, False if it ends in /v1."""
    vendor: Vendor | None = None
    """The company whose own address speaks this dialect."""
    is_vendors_first: bool = False
    """True if it is the vendor's default dialect."""
    keeps_an_hour: bool = False
    """True if a call can ask the server to keep its cache for an hour, at extra cost."""


def dialect_facts(dialect: Dialect) -> DialectFacts:
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
"""Provider -> dialects at its own address, default first."""

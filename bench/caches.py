"""Cost of a debate's prompts with provider-side prompt caches, modelled on the request bodies.

Nine turns of three seats and a synthesis, all by one model, over sources of about 20,000 tokens. The rules are those
that vendors publish: OpenAI and Anthropic match the exact prefix up to a marked part and charge for writing it, other
servers find the longest common prefix automatically. The figures cover both cases: the reply schema before the prompt,
and apart from it. Prices are ratios of the price table. A share of 1 is the cost without any cache.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from debate_core.seats.model import Gate, ModelSeat
from debate_core.seats.providers.dialects import wire_for
from debate_core.seats.providers.http import HttpWire
from debate_core.seats.server_queue import ServerQueue
from debate_core.spec.models import Dialect, ModelLine
from debate_core.spec.values import Source
from tests.prompt_views import SEATS, held, spec_of

CHARS_PER_TOKEN = 4
LEAST_TOKENS = 1_024
SOURCE_CHARS = 80_000


@dataclass(frozen=True)
class Rules:
    """Prices of one vendor as shares of the price of an input token."""

    dialect: Dialect
    provider: str
    model: str
    read: float
    write: float
    marked: bool
    """True if a cached prefix ends only at marked parts; otherwise it may end anywhere."""


VENDORS = (
    Rules("responses", "openai", "gpt-6.1-terra", read=0.1, write=1.25, marked=True),
    Rules("messages", "anthropic", "claude-sonnet-5-5", read=0.05, write=1.25, marked=True),
    Rules("chat", "google", "gemini-3.8-flash", read=0.1, write=1, marked=False),
)


def shares() -> dict[str, float]:
    """Return the share of tokens that are paid, by dialect."""
    with_form = {f"tokens_paid_{v.dialect}": round(_share(v, form_comes_first=True), 3) for v in VENDORS}
    apart = {f"tokens_paid_{v.dialect}_form_apart": round(_share(v, form_comes_first=False), 3) for v in VENDORS}
    return with_form | apart


def _share(vendor: Rules, *, form_comes_first: bool) -> float:
    """Return the share of the uncached cost. The schema of a synthesis differs from that of a turn: if the schema comes
    first, the synthesis shares no prefix with the turns.
    """
    paid, naive, known = 0.0, 0.0, set[str]()
    sent: list[str] = []
    for form, parts, marks in _calls(vendor):
        form = form if form_comes_first else ""
        text = form + "".join(parts)
        naive += len(text)
        if vendor.marked:
            ends = _cacheable([form + "".join(parts[: mark + 1]) for mark in marks])
            found = max(map(len, known.intersection(ends)), default=0)
            written = max(map(len, ends), default=0) - found
            known.update(ends)
        else:
            prefixes = _cacheable([text[: _common(text, before)] for before in sent])
            found = max(map(len, prefixes), default=0)
            written = 0
            sent.append(text)
        paid += found * vendor.read + written * vendor.write + (len(text) - found - written)
    return paid / naive


def _cacheable(prefixes: Sequence[str]) -> list[str]:
    return [prefix for prefix in prefixes if len(prefix) >= LEAST_TOKENS * CHARS_PER_TOKEN]


def _common(one: str, other: str) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _calls(vendor: Rules) -> Iterator[tuple[str, Sequence[str], Sequence[int]]]:
    """Yield the reply schema, the prompt parts and the indexes of marked parts for every call of the debate."""
    line = ModelLine(id="m", model=vendor.model, provider=vendor.provider, dialect=vendor.dialect, key_env="KEY")
    wire = wire_for(line, "key")
    assert isinstance(wire, HttpWire)
    spec = spec_of("expert_panel", SEATS, Source(id="E1", title="Report", text="It pays. " * (SOURCE_CHARS // 9)))
    seat = ModelSeat(spec, line, wire, 60, Gate(), ServerQueue(), "d1")
    for request, view in held(spec):
        body: dict[str, Any] = wire.body(seat._call(request, view))
        yield _taken_apart(body)


def _taken_apart(body: dict[str, Any]) -> tuple[str, Sequence[str], Sequence[int]]:
    text_options = body.get("text", {})
    candidates = (body.get("response_format"), text_options.get("format"), body.get("output_config"))
    schema: Any = next((each for each in candidates if each is not None), {})
    said = [body.get("instructions", body.get("system", ""))]
    marks: list[int] = []
    for message in body.get("messages", body.get("input", ())):
        for part in _parts(message["content"]):
            if "cache_control" in part or "prompt_cache_breakpoint" in part:
                marks.append(len(said))
            said.append(part["text"])
    return json.dumps(schema), said, marks


def _parts(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"text": content}] if isinstance(content, str) else content


if __name__ == "__main__":
    print(json.dumps(shares(), indent=1))

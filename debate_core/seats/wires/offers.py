"""What a server says of the models it offers: their names, what fits into one call, when one of them goes.

Reads the lists of all dialects and Ollama's own two pages; what they hold is untrusted. Knows no vendor's library.
"""

import re
from collections.abc import Iterator
from datetime import date
from urllib.parse import urlsplit

import httpx2

from debate_core.seats.wires.exchange import count_at, text_at, value_at
from debate_core.seats.wires.redact import name_of
from debate_core.seats.wires.wire import Offer
from debate_core.spec.models import ModelLine

CONTEXT_FIELDS = (("meta", "n_ctx"), ("max_model_len",), ("context_length",), ("max_input_tokens",))
"""Of llama.cpp, vLLM, gateways and Anthropic."""
RETIREMENT_FIELDS = ("shutdown_date", "retires_at")
"""Of OpenAI and Anthropic."""


def offers_in(page: object, key: str) -> tuple[Offer, ...]:
    """The models of a list, in its order; a name that holds the key is left out."""
    models = value_at(page, "data")
    return tuple(_offers(models, key)) if isinstance(models, list) else ()


def _offers(models: list[object], key: str) -> Iterator[Offer]:
    for model in models:
        name = text_at(model, "id")
        if not name or name != name_of(name, key):
            continue
        contexts = (count_at(model, *field) for field in CONTEXT_FIELDS)
        dates = (_day(text_at(model, field)) for field in RETIREMENT_FIELDS)
        context_tokens = next((tokens for tokens in contexts if tokens), None)
        retires = next((day for day in dates if day), None)
        yield Offer(name, context_tokens, retires)


def _day(text: str) -> date | None:
    """The day of `2026-11-30` and of `2026-11-30T00:00:00Z`."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def same_name(one: str, other: str) -> bool:
    """True if two names mean one model: some servers write `models/` before it, some leave `:latest` away."""
    return _plain(one) == _plain(other)


def _plain(name: str) -> str:
    return name.removeprefix("models/").removesuffix(":latest")


def _loaded_context(loaded: object, name: str) -> int:
    """What Ollama gave the model of this name when it loaded it, 0 if it has not."""
    models = value_at(loaded, "models")
    if not isinstance(models, list):
        return 0
    contexts = [count_at(model, "context_length") for model in models if same_name(text_at(model, "name"), name)]
    return next((tokens for tokens in contexts if tokens), 0)


async def ollama_context(http: httpx2.AsyncClient, line: ModelLine, *, deadline_s: float) -> int | None:
    """Tokens that fit into a call as Ollama runs this model; None where nobody says so, as on any other server.

    What it loaded counts. Before that only a `num_ctx` of the model itself is known: what the model was trained with
    says nothing, since Ollama cuts prompts at the context that it gave the model, without a word.
    """
    parts = urlsplit(line.base_url)
    if not parts.path.endswith("/v1"):
        return None
    root = f"{parts.scheme}://{parts.netloc}{parts.path.removesuffix('/v1')}"
    try:
        loaded = (await http.get(f"{root}/api/ps", timeout=deadline_s)).json()
        if tokens := _loaded_context(loaded, line.model):
            return tokens
        shown = (await http.post(f"{root}/api/show", json={"model": line.model}, timeout=deadline_s)).json()
    except (httpx2.HTTPError, ValueError, RecursionError):
        return None
    stated = re.search(r"^num_ctx\s+(\d{1,9})\s*$", text_at(shown, "parameters"), re.MULTILINE)
    return int(stated[1]) if stated else None

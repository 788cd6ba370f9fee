"""Reads a server's list of models: their names, their contexts, their retirement dates.

Handles the lists of all dialects and two pages of Ollama's own API; their values are untrusted. Knows no vendor's
library.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from urllib.parse import urlsplit

import httpx2

from debate_core.seats.providers.exchange import count_at, text_at, value_at
from debate_core.seats.providers.redact import name_of
from debate_core.seats.providers.wire import Offer
from debate_core.spec.models import ModelLine

CONTEXT_FIELDS = (("meta", "n_ctx"), ("max_model_len",), ("context_length",), ("max_input_tokens",))
"""Fields of llama.cpp, vLLM, gateways and Anthropic."""
RETIREMENT_FIELDS = ("shutdown_date", "retires_at")
"""Fields of OpenAI and Anthropic."""


def offers_in(page: object, key: str) -> tuple[Offer, ...]:
    """The models of a list, in its order, without names that contain the key."""
    models = value_at(page, "data")
    return tuple(_offers(models, key)) if isinstance(models, list) else ()


def _offers(models: list[object], key: str) -> Iterator[Offer]:
    for model in models:
        name = text_at(model, "id")
        if not name or name != name_of(name, key):
            continue
        contexts = (count_at(model, *field) for field in CONTEXT_FIELDS)
        context_tokens = next((tokens for tokens in contexts if tokens), None)
        retires = None
        for field in RETIREMENT_FIELDS:
            # The date may have a time behind it, such as "2026-11-30T00:00:00Z".
            with suppress(ValueError):
                retires = retires or date.fromisoformat(text_at(model, field)[:10])
        yield Offer(name, context_tokens, retires)


def same_name(one: str, other: str) -> bool:
    """True if two names mean one model: some servers prefix `models/`, some omit `:latest`."""
    plain = [name.removeprefix("models/").removesuffix(":latest") for name in (one, other)]
    return plain[0] == plain[1]


def _loaded_context(loaded: object, name: str) -> int:
    """Context that Ollama gave this model when it loaded it, 0 if it did not."""
    models = value_at(loaded, "models")
    if not isinstance(models, list):
        return 0
    contexts = [count_at(model, "context_length") for model in models if same_name(text_at(model, "name"), name)]
    return next((tokens for tokens in contexts if tokens), 0)


async def ollama_context(http: httpx2.AsyncClient, line: ModelLine, *, deadline_s: float) -> int | None:
    """Tokens that fit into a call to Ollama; None for any other server, or if it does not say.

    The context of the loaded model counts, else a `num_ctx` of the model itself. The context of its training does not
    count, because Ollama silently cuts prompts at the context that it gave the model.
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

"""What a model is given for a request, so that servers can keep its beginning: rules, question, sources, turns, task.

Rules and blocks have the same bytes for every seat that may see the same; only the tail is for one seat. What others
wrote is fenced data. Knows no dialect and no server.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from debate_core.engine.seat_view import View
from debate_core.seats.prompts.blocks import blocks_of
from debate_core.seats.prompts.prefix import prefix_share
from debate_core.seats.prompts.schema import reply_schema
from debate_core.seats.prompts.tail import tail_of
from debate_core.seats.prompts.templates import changed, digests, texts_of, with_custom
from debate_core.spec.values import Json

__all__ = ["Json", "Prompt", "changed", "digests", "prefix_share", "prompt_for", "reply_schema", "with_custom"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request in words. `breakpoints` are the indexes of the blocks after which a cache should end."""

    system: str
    blocks: tuple[str, ...]
    breakpoints: tuple[int, ...]
    tail: str
    schema: Mapping[str, Json]


def prompt_for(view: View) -> Prompt:
    """The prompt of this request, with the words that its debate records."""
    texts = texts_of(view.templates)
    blocks, breakpoints = blocks_of(view)
    system = f"{texts['rules']}\n{texts['reply_argument']}"
    return Prompt(system, blocks, breakpoints, tail_of(view, texts), reply_schema(view))

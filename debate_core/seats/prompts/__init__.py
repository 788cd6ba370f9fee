"""Prompts of requests, ordered for prefix caches: rules, question, sources, turns, task.

Rules and blocks are the same bytes for all seats with the same view; only the tail is specific to a seat. Text of
others is fenced data. Knows no dialect and no server.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from debate_core.engine.seat_view import View
from debate_core.seats.prompts.blocks import blocks_of, transcript_for
from debate_core.seats.prompts.bounds import Bounds, bounds_of, without_none, word_limit
from debate_core.seats.prompts.schema import ballot_schema, form_of, gaps_left, reply_schema
from debate_core.seats.prompts.tail import ballot_tail, ending, in_own_order, prose_tail, tail_of
from debate_core.seats.prompts.templates import changed, digests, texts_of, with_custom
from debate_core.spec.contents import ARGUMENT_KINDS
from debate_core.spec.values import Json

__all__ = [
    "Bounds",
    "Json",
    "Prompt",
    "ballot_prompt",
    "bounds_of",
    "changed",
    "digests",
    "gaps_left",
    "prompt_for",
    "prose_prompt",
    "reply_schema",
    "transcript_for",
    "with_custom",
    "without_none",
]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request in words. `breakpoints` are the indexes of the blocks after which a cache should end."""

    system: str
    blocks: tuple[str, ...]
    breakpoints: tuple[int, ...]
    tail: str
    schema: Mapping[str, Json]
    form: str = ""
    """The form of the reply, if the tail shows one."""


def prose_prompt(view: View, bounds: Bounds | None, *, was_cut: bool) -> Prompt:
    """First step of a two-step turn: the argument as plain text."""
    texts = texts_of(view.templates)
    blocks, breakpoints = blocks_of(view)
    tail = prose_tail(in_own_order(view), texts, word_limit(view.request.gives, bounds, was_cut=was_cut))
    return Prompt(texts["rules"], blocks, breakpoints, tail, {})


def ballot_prompt(view: View, said: str, bounds: Bounds | None, *, is_again: bool = False) -> Prompt:
    """Second step: only the ballot, after the same prefix; `is_again` if the first ballot was lost."""
    texts = texts_of(view.templates)
    blocks, breakpoints = blocks_of(view)
    own = in_own_order(view)
    schema = ballot_schema(own, bounds)
    form = form_of(schema)
    tail = ballot_tail(own, texts, said, is_again=is_again) + ending(texts, form, words=0, was_cut=False)
    return Prompt(texts["rules"], blocks, breakpoints, tail, schema, form)


def prompt_for(
    view: View,
    bounds: Bounds | None = None,
    *,
    shows_form: bool = False,
    was_cut: bool = False,
    searches_by_form: bool = False,
) -> Prompt:
    """The prompt of a request, with the templates that its debate records.

    `bounds` go into the schema; `shows_form` ends the task with the form of the reply, for servers that may not enforce
    the schema; `was_cut` asks for less than the attempt before; `searches_by_form` is for models that call no tools.

    Send `system`, then the blocks, then `tail`; `schema` is the JSON Schema of the reply. Pure.

        prompt = prompt_for(view(state, requests(state)[0]))
        text = "\n".join([prompt.system, *prompt.blocks, prompt.tail])
    """
    texts = texts_of(view.templates)
    blocks, breakpoints = blocks_of(view)
    system = f"{texts['rules']}\n{texts['reply_argument']}"
    # The shared part has the options in the agreed order, as some schemas are shared too.
    own = in_own_order(view)
    schema = reply_schema(own if bounds is not None and bounds.names_ids else view, bounds)
    words = word_limit(view.request.gives, bounds, was_cut=was_cut)
    form = form_of(reply_schema(own, bounds), words) if shows_form else ""
    # The limit is named once: for an argument in its form, if one is shown, or in the ending after a cut.
    is_named_last = view.request.gives in ARGUMENT_KINDS and (form or was_cut)
    tail = tail_of(own, texts, 0 if is_named_last else words, by_form=searches_by_form)
    tail += ending(texts, form, words=words, was_cut=was_cut)
    return Prompt(system, blocks, breakpoints, tail, schema, form)

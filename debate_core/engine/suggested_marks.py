"""Marks that the headings and labels of a document suggest: passages that its author sorted under an option and a side.

A suggestion counts nothing. A person reads its passages, takes some out, and marks the others in one step.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from debate_core.engine.option_names import named_option, negated
from debate_core.engine.reason_labels import AuthorReason, author_reason
from debate_core.spec.contents import Claim
from debate_core.spec.values import Source

MIN_TOGETHER = 2
MAX_TOGETHER = 12
"""Passages of one suggestion: more than a dozen are no longer read one by one."""
_MarkSide = Literal["supports", "against"]
_READINGS: Mapping[str | None, _MarkSide] = {"good": "supports", "bad": "against"}
# "Vorteile ohne Redis", "Nachteile, wenn kein Redis läuft"; `negated` knows the English words
_NEGATED_IN_GERMAN = re.compile(r"\b(?:nicht|nie|kein\w*|ohne|(?:an)?statt|anstelle|weder)\b")


@dataclass(frozen=True, slots=True)
class SuggestedMark:
    """A quoted claim, and the words of the author that sort it: `Redis / Pros`, `Redis / Good, because`."""

    claim: Claim
    words: str


@dataclass(frozen=True, slots=True)
class SuggestedMarks:
    """Passages that the author sorted on one side of one option, at most a dozen."""

    reading: _MarkSide
    option: str
    marks: tuple[SuggestedMark, ...]


def suggested_marks(
    sources: Sequence[Source], claims: Sequence[Claim], options: Sequence[str], left_out: Container[str] = ()
) -> tuple[SuggestedMarks, ...]:
    """Group claims by the side and option under which their author put them; options as agreed, reasons for one first.

    A single passage is no group. `left_out`: ids of claims that are marked or were taken out.
    """
    groups: dict[tuple[str, _MarkSide], list[SuggestedMark]] = {
        (option, reading): [] for option in options for reading in _READINGS.values()
    }
    for option, reading, mark in _sorted_by_author(sources, claims, options):
        if mark.claim.id not in left_out:
            groups[option, reading].append(mark)
    return tuple(
        SuggestedMarks(reading, option, tuple(found[first : first + MAX_TOGETHER]))
        for (option, reading), found in groups.items()
        for first in range(0, len(found) - MIN_TOGETHER + 1, MAX_TOGETHER)
    )


def _sorted_by_author(
    sources: Sequence[Source], claims: Sequence[Claim], options: Sequence[str]
) -> Iterator[tuple[str, _MarkSide, SuggestedMark]]:
    """Yield option, side and words of each claim that its author sorted."""
    for claim in claims:
        author = author_reason(sources, claim.source_id, claim.quote or claim.text, options)
        if author.label not in _READINGS or author.option is None or _is_negated(author):
            continue
        words = author.words if named_option(author.words, options) else f"{author.option} / {author.words}"
        yield author.option, _READINGS[author.label], SuggestedMark(claim, words)


def _is_negated(author: AuthorReason) -> bool:
    """True for "Cons of not using Redis", which speaks for Redis; no rule of words tells that reliably."""
    option = (author.option or "").casefold()
    headings = [heading.casefold().replace(option, "") for heading in author.headings]
    return any(negated(heading) or _NEGATED_IN_GERMAN.search(heading) for heading in headings)

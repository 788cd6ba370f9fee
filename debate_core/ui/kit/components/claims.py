"""The data shapes of claims, which `evidence.js` draws as a table and a list, and `argument_map.js` as a map.

Knows no debate.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict

from debate_core.ui.kit.components.parts import draw


class LinkPart(TypedDict):
    """A link to another claim or turn, such as `answered by`, with its author, round and text."""

    verb: str
    who: str
    name: str
    text: str
    claim: str


class MarkPart(TypedDict):
    """Marks of people on a passage: `for`, `against` or `neutral`, the letter of the option, and their number."""

    side: str
    letter: str
    people: int


class QuotePart(TypedDict):
    """A quote in its source: index in `sources`, and passages as block, first and last character."""

    source: int
    heading: str
    marks: list[tuple[int, int, int]]


class ClaimPart(TypedDict):
    """A claim; `id` is shown as a tooltip."""

    id: str
    number: int
    text: str
    wording: str
    """Id of the first claim with these words."""
    turn: str
    """Id of its turn; empty for a fact of the room."""
    seat: str
    who: str
    """The seat, and the person or model that gave the turn."""
    round: int
    when: str
    letter: str
    side: str
    status: str
    contested_by: str
    """The seats that answered the claim, or one with the same words, and have not agreed; or empty."""
    crux: bool
    """True if voters named it as the claim that decided their vote."""
    mark: str
    """The reading of a person who leads, in words; or empty."""
    notes: list[str]
    quote: str
    verdict: str
    left_out: str
    holds: bool
    quoted: QuotePart | None
    links: list[LinkPart]
    marks: list[MarkPart]
    marked: str
    """The same marks in words; empty without marks."""


class SourcePart(TypedDict):
    """An excerpt of a document: its blocks as (is a heading, text), and whether text before and after is cut."""

    title: str
    blocks: list[tuple[bool, str]]
    cut_before: bool
    cut_after: bool


def draw_evidence(
    claims: Sequence[ClaimPart],
    sources: Sequence[SourcePart],
    options: Mapping[str, str],
    *,
    at: str,
    key: str,
    on: Mapping[str, Callable[[str], None]],
) -> None:
    """Draw claims as a table, a list and a map, and the selected one with its quote in its source.

    `at` is the id selected at first; `options` are letters by name. The browser selects, sorts and filters. `on`: the
    event `mark` gets the id of a claim, `turn` the id of its turn.
    """
    named = [{"option": option, "letter": letter} for option, letter in options.items()]
    part = {"part": "evidence", "at": at, "claims": [*claims], "sources": [*sources], "options": named}
    draw(part, key=key, on=on)

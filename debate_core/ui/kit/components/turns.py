"""The data shapes of a transcript, which `transcript.js` draws, searches and filters. Knows no debate."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypedDict

from debate_core.ui.kit.components.parts import draw

EntryKind = Literal["seat", "person", "moderation", "override", "note"]
"""`seat`: a turn by a model or by code; `person`: a turn by a person; `moderation`: a turn or message of those who
lead; `override`: an act that changed the course; `note`: a text that a person wrote in silence."""


class ClaimOfTurn(TypedDict):
    """A claim that a turn made."""

    id: str
    number: int
    text: str


class EntryPart(TypedDict):
    """A turn, message, act or note: its first lines, which unfold to the whole text."""

    id: str
    """Id of the turn in addresses; empty for anything but a turn."""
    group: int
    """Index of its phase."""
    kind: EntryKind
    seat: str
    """The seat to filter by; empty for anything but a turn."""
    options: list[str]
    """The two options that it compares; empty for other entries."""
    who: str
    beside: str
    """The person or model, and the time or side, in words."""
    vote: str
    letter: str
    was: str
    """The vote of the seat before this one; empty for its first."""
    was_letter: str
    concedes: list[str]
    """Names of the conceded claims."""
    status: str
    """The reason why no turn was given, or why it does not count; empty for a complete turn."""
    remarks: list[str]
    text: str
    claims: list[ClaimOfTurn]


def draw_transcript(
    debate: str,
    groups: Sequence[str],
    entries: Sequence[EntryPart],
    *,
    at: str,
    key: str,
    on: Mapping[str, Callable[[str], None]],
) -> None:
    """Draw a transcript; `groups` are the titles of its phases, `at` is the id of the turn to open first.

    `on`: the event `open` gets the id of a claim.
    """
    part = {"part": "transcript", "debate": debate, "at": at, "groups": [*groups], "entries": [*entries]}
    draw(part, key=key, on=on)

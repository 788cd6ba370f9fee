"""The six scenes of the wall: the shapes that `wall.js` draws over the whole screen. Knows no debate."""

from typing import NotRequired, TypedDict

from debate_core.ui.kit.face.parts import VotesPart, draw
from debate_core.ui.kit.face.ranked import RankedPart


class StepPart(TypedDict):
    """One step of the agenda; `when` is done, now or next."""

    name: str
    when: str
    beside: str


class FramePart(TypedDict):
    """What stands around every scene."""

    question: str
    clock: str
    """Changes by the second and redraws nothing else."""
    override: str
    """The red chip of a decision against the count; empty for every other one."""
    chips: list[str]
    steps: list[StepPart]
    foot: list[tuple[str, str]]
    """Label and value."""
    beside: str
    """At the right of the foot."""


class LobbyScene(TypedDict):
    """How to join, and who has come. `qr` has a text of 1 and 0 for each row; without one nobody can join."""

    scene: str
    qr: list[str]
    code: str
    address: str
    here: str
    come: int
    expected: int


class ChoicePart(TypedDict):
    """An option; `has` None = nothing is known of its votes."""

    letter: str
    option: str
    has: float | int | None
    of: float | int


class RoundScene(TypedDict):
    """Who spoke last, one claim in large type with its quote, and how the seats stand."""

    scene: str
    speaker: str
    letter: str
    doing: str
    claim: str
    quote: str
    source: str
    title: str
    options: list[ChoicePart]
    named: bool
    """False = by their letters alone, while a claim is read."""


class RingPart(TypedDict):
    """How many ballots of one electorate are in."""

    label: str
    cast: int
    eligible: int


class VoteScene(TypedDict):
    """The options, and of a sealed vote how many are in."""

    scene: str
    title: str
    line: str
    options: list[ChoicePart]
    rings: list[RingPart]


class RankedScene(TypedDict):
    """A tournament while it runs: whether the best are settled, how they stand, and what is compared now."""

    scene: str
    title: str
    now: str
    ranked: RankedPart


class RevealScene(TypedDict):
    """What was chosen, and the votes against the line; as scene `signed` once somebody has signed it.

    `advice`: the votes that decide nothing, and have no line.
    """

    scene: str
    letter: str
    headline: str
    line: str
    note: NotRequired[str]
    """A warning about the result as a whole."""
    votes: VotesPart | None
    advice: NotRequired[list[VotesPart]]


Scene = LobbyScene | RoundScene | VoteScene | RankedScene | RevealScene


class WallPart(TypedDict):
    """The whole wall. With `reveals` votes that are new appear option by option."""

    part: str
    frame: FramePart
    shown: Scene
    reveals: NotRequired[bool]


def draw_wall(frame: FramePart, shown: Scene) -> None:
    """One scene in its frame; the same scene once more leaves what is drawn as it is."""
    draw(WallPart(part="wall", frame=frame, shown=shown, reveals=shown["scene"] == "reveal"), key="wall")

"""The data shapes of the six scenes of the wall, which `wall.js` draws in full screen. Knows no debate."""

from typing import NotRequired, TypedDict

from debate_core.ui.kit.components.parts import VotesPart, draw
from debate_core.ui.kit.components.ranked import RankedPart


class StepPart(TypedDict):
    """One step of the agenda; `when` is done, now or next."""

    name: str
    when: str
    beside: str


class FramePart(TypedDict):
    """The frame around every scene."""

    question: str
    clock: str
    """Changes every second without redrawing the rest."""
    override: str
    """Text of the red chip for a decision against the count, or empty."""
    chips: list[str]
    steps: list[StepPart]
    foot: list[tuple[str, str]]
    """Label and value."""
    beside: str
    """Text at the right of the foot."""


class ChoicePart(TypedDict):
    """An option; `has` None = its votes are unknown. Without a letter it is a text of a silent step."""

    letter: str
    option: str
    has: float | int | None
    of: float | int


class LobbyScene(TypedDict):
    """The way to join with the options, and the number of people present; without a QR code the question is large.

    `qr` has a text of 1 and 0 for each row. While phones cannot open the address, QR code, code and address are empty,
    and `closed` has the reason.
    """

    scene: str
    qr: list[str]
    code: str
    address: str
    closed: str
    here: str
    come: int
    expected: int
    title: str
    options: list[ChoicePart]


class RoundScene(TypedDict):
    """The last speaker, a claim in large type with its quote, and the votes of the seats."""

    scene: str
    speaker: str
    letter: str
    doing: str
    claim: str
    quote: str
    source: str
    now: str
    """Who speaks now, below the claim of the last speaker."""
    given: int
    """Turns of the phase that were given, of those planned in it."""
    planned: int
    title: str
    options: list[ChoicePart]
    named: bool
    """False = options have only letters, to leave room for a claim."""


class RingPart(TypedDict):
    """The number of ballots cast in an electorate."""

    label: str
    cast: int
    eligible: int


class VoteScene(TypedDict):
    """The options, and the number of ballots in a sealed vote. `way` says where people vote."""

    scene: str
    title: str
    way: NotRequired[str]
    line: str
    options: list[ChoicePart]
    rings: list[RingPart]


class RankedScene(TypedDict):
    """A running tournament: whether the best are settled, the ranking, and the present comparison."""

    scene: str
    title: str
    now: str
    ranked: RankedPart


class RecommendedPart(TypedDict):
    """An option of a ranked recommendation; `letter` is its letter on the wall."""

    place: str
    letter: str
    option: str


class RecommendationPart(TypedDict):
    """A ranked recommendation, with the remark that it decides nothing."""

    title: str
    alt: str
    rows: list[RecommendedPart]


class RevealScene(TypedDict):
    """The decision with its votes; the scene is `signed` after the signature. `advice`: votes that do not decide."""

    scene: str
    letter: str
    headline: str
    line: str
    note: NotRequired[str]
    """A warning about the result as a whole, what decided it, or the reason of the signature."""
    scale: NotRequired[str]
    """The voters of the votes, where the line does not say them."""
    votes: VotesPart | None
    advice: NotRequired[list[VotesPart]]
    recommended: NotRequired[RecommendationPart]


Scene = LobbyScene | RoundScene | VoteScene | RankedScene | RevealScene


class WallPart(TypedDict):
    """The whole wall. With `reveals`, new votes appear option by option."""

    part: str
    frame: FramePart
    shown: Scene
    reveals: NotRequired[bool]


def draw_wall(frame: FramePart, shown: Scene) -> None:
    """Draw a scene in its frame; drawing the same scene again changes nothing."""
    draw(WallPart(part="wall", frame=frame, shown=shown, reveals=shown["scene"] == "reveal"), key="wall")

"""What travels to the browser: the shapes that `transcript` fills and `live.js` draws. Plain JSON, no behaviour."""

from typing import Literal, NotRequired, TypedDict


class Chip(TypedDict):
    """A vote: its words, the name of its colour, and whether it names an option. `label` is "vote" if left out."""

    label: NotRequired[str]
    text: str
    colour: str
    counts: bool


class Row(TypedDict):
    """A numbered claim, or a line of another kind of turn. `label` says what the line is, where it has no number."""

    id: str
    number: NotRequired[int]
    """Of a claim: its id is shown as a tooltip then."""
    label: NotRequired[str]
    chips: NotRequired[list[Chip]]
    text: str
    seats: NotRequired[bool]
    """True where the text is a list of seats by name, written by the program. For the server alone."""
    quote: NotRequired[str]
    verdict: NotRequired[str]
    verdict_colour: NotRequired[str]
    """Green for a quote that stands in its source, red for one that is altered or not there, orange for all others."""
    links: NotRequired[str]


class Item(TypedDict):
    """One turn, given or being given. `state`: one of `seat_words.Pending`, `given`, or why it was not."""

    id: str
    phase: str
    name: str
    seat: str
    badge: str
    stance: str
    colour: str
    state: str
    says: str
    """`state` as a sentence, with a place for `{seconds}`; empty for what was given."""
    since: NotRequired[int]
    """From when the seconds run, in milliseconds since 1970."""
    until: NotRequired[int]
    """To when they run."""
    text: str
    request: str
    rows: NotRequired[list[Row]]
    answers: NotRequired[str]
    facts: NotRequired[list[str]]
    """Short remarks at the foot of a turn."""
    vote: NotRequired[Chip]
    confidence: NotRequired[int]
    note: NotRequired[str]
    thinking: NotRequired[str]
    """The end of what a model says that it thinks; never part of the turn."""
    tried: NotRequired[str]
    """That it was asked for more than once."""
    before: NotRequired[str]
    """What became of the attempts before."""


class Group(TypedDict):
    """One phase of one round; `tally` in words once it is counted."""

    id: str
    title: str
    open: bool
    tally: str


class Meta(TypedDict):
    """What stands around the turns."""

    status: Literal["running", "waiting", "paused", "over"]
    notice: str
    closing: str
    news: str
    polled: str
    """How many ballots of the open poll are in; empty while none is open."""
    watching: NotRequired[int]
    """How many watch, so that their panels do not all ask for news at once."""


class Picture(TypedDict):
    """Everything one viewer sees; `items` and `groups` in the order of the screen."""

    meta: Meta
    groups: list[Group]
    items: list[Item]


LiveUpdateKind = Literal["text", "item", "gone", "group", "meta", "snapshot"]
LiveUpdate = tuple[LiveUpdateKind, object]
"""("text", [item id, offset, more text]), ("item", Item), ("gone", item id),
("group", Group), ("meta", Meta), ("snapshot", Picture)."""

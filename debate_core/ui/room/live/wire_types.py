"""The messages to the browser: the shapes that `transcript` fills and `live.js` draws. Plain JSON, no behaviour."""

from typing import Literal, NotRequired, TypedDict


class Chip(TypedDict):
    """A vote: its words, the name of its colour, and whether it names an option. `label` is "vote" if missing."""

    label: NotRequired[str]
    text: str
    colour: str
    counts: bool


class Row(TypedDict):
    """A numbered claim, or a line of another kind of turn. `label` names the kind of a line without a number."""

    id: str
    number: NotRequired[int]
    """The number of a claim, whose id is then a tooltip."""
    label: NotRequired[str]
    chips: NotRequired[list[Chip]]
    text: str
    seats: NotRequired[bool]
    """True for a list of seat names written by the program. For the server only."""
    quote: NotRequired[str]
    verdict: NotRequired[str]
    verdict_colour: NotRequired[str]
    """Green for a quote that is in its source, red for an altered or missing one, orange for all others."""
    links: NotRequired[str]


class Item(TypedDict):
    """One turn, given or in progress. `state`: one of `seat_words.Pending`, `given`, or why it was not given."""

    id: str
    phase: str
    name: str
    seat: str
    badge: str
    stance: str
    colour: str
    state: str
    says: str
    """`state` as a sentence with a place for `{seconds}`; empty for a given turn."""
    since: NotRequired[int]
    """Start of the seconds, in milliseconds since 1970."""
    until: NotRequired[int]
    """End of the seconds, in milliseconds since 1970."""
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
    """The end of a model's thinking; never part of the turn."""
    tried: NotRequired[str]
    """A remark on repeated attempts."""
    before: NotRequired[str]
    """The results of the attempts before."""


class Group(TypedDict):
    """One phase of one round; `tally` in words once it is counted."""

    id: str
    title: str
    open: bool
    tally: str


class Meta(TypedDict):
    """The frame around the turns."""

    status: Literal["running", "waiting", "paused", "over"]
    notice: str
    closing: str
    news: str
    form_news: str
    """Changes only with what a voter or observer sees beside the shared parts of the panel."""
    polled: str
    """Number of ballots in the open poll, in words; empty while none is open."""
    watching: NotRequired[int]
    """Number of viewers, so that their panels do not all rerun at once."""


class Picture(TypedDict):
    """The view of one viewer; `items` and `groups` in the order of the screen."""

    meta: Meta
    groups: list[Group]
    items: list[Item]


class PanelUpdate(TypedDict):
    """The parts of the panel that have changed, by name, as of this version of the debate."""

    version: int
    parts: dict[str, object]


class HereUpdate(TypedDict):
    """The people with an open page, and calls for help: of all people for those who lead, else only one's own."""

    here: list[str]
    calls: list[tuple[str, str]]
    """Id and name of each person who asks for help, the first call first."""
    calling: bool
    """True while this viewer asks for help."""


LiveUpdateKind = Literal["text", "item", "gone", "group", "meta", "snapshot", "panel", "own", "here"]
LiveUpdate = tuple[LiveUpdateKind, object]
"""("text", [item id, offset, more text]), ("item", Item), ("gone", item id),
("group", Group), ("meta", Meta), ("snapshot", Picture), ("panel", PanelUpdate),
("own", receipt of the viewer's ballot), ("here", HereUpdate)."""

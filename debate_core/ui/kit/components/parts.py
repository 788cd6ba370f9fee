"""The data shapes of the browser components, and functions that draw them: votes, decision, reasons, claims, lists.

Counts nothing. Each drawing has a text alternative for screen readers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from debate_core.language import _, format_number, spoken_list
from debate_core.report.facts.agenda import AgendaStep
from debate_core.report.facts.counts import Number
from debate_core.report.facts.terms import named
from debate_core.report.facts.vote_bars import VoteBars
from debate_core.report.phrases.decision_status import DecisionStatus
from debate_core.report.phrases.voters import VOTES_OF
from debate_core.report.phrases.who_decided import line_words, threshold_words
from debate_core.ui.kit import click_guard, fetched

_HERE = Path(__file__).parent


class BarPart(TypedDict):
    """The votes of an option."""

    letter: str
    option: str
    has: Number
    before: Number | None
    wins: bool
    each: NotRequired[list[tuple[str, Number]]]
    """Names and values whose mean it has, drawn as small rings."""
    mean: NotRequired[Number]
    """Drawn as a line across a plain bar, with its number."""
    names: NotRequired[str]
    """The voters, under the pointer."""


class VotesPart(TypedDict):
    """A poll."""

    part: str
    title: str
    alt: str
    heads: bool
    sealed: bool
    advice: bool
    unit: str
    of: Number
    needed: Number | None
    clause: str
    """The winning condition, or a note that the vote is advice."""
    ends: str
    """Meaning of the two points of a bar; empty where it has one."""
    cast: int
    eligible: int
    bars: list[BarPart]
    reveals: bool
    plain: NotRequired[bool]
    """Bars with numbers beside them, for values that are fixed."""


class RulePart(TypedDict):
    """The votes needed in a poll without ballots yet."""

    title: str
    beside: str
    heads: int
    """Number of voters, drawn as squares; 0 = a bar, because the number is unknown or ballots have weights."""
    needed: int | None
    share: float | None
    """Position of the line on a bar, from 0 to 1; None if most votes win."""
    under: str


class CautionPart(TypedDict):
    """A chip with an explanation; `level` is a `CautionLevel`."""

    words: str
    reason: str
    level: str


class StripPart(TypedDict):
    """The decision in one line."""

    part: str
    status: str
    option: str | None
    letter: str
    headline: str
    line: str
    signed: bool


class HeroPart(StripPart):
    """The decision with its votes."""

    when: str
    facts: list[tuple[str, str, str]]
    """Label, value and unit."""
    reasons: list[tuple[str, str]]
    """Label and text of the reason and the assumptions of the signature, below the votes."""
    others: list[tuple[str, str]]
    """Label and text of what others say: a reason of the minority, dissents."""
    note: str
    """A warning about the result as a whole."""
    cautions: list[CautionPart]
    hints: str
    """The words of the chip in front of the hints; empty without any."""
    votes: VotesPart | None


class HeldPart(TypedDict):
    """The option of a seat after one count."""

    letter: str
    words: str
    moved: bool
    why: str


class SeatPart(TypedDict):
    """A seat, and its option after each count."""

    name: str
    cells: list[HeldPart]


class ReasonPart(TypedDict):
    """A claim about an option; `claim` is its id."""

    claim: str
    name: str
    side: str
    text: str
    beside: str


class OptionPart(TypedDict):
    """An option with the claims for and against it."""

    letter: str
    option: str
    lines: list[ReasonPart]


class SmallVotesPart(TypedDict):
    """A poll in a row of 13 px: the votes of the leading option, without its letter if several options are tied."""

    alt: str
    heads: bool
    sealed: bool
    letter: str
    has: Number
    of: Number
    needed: Number | None


class RowPart(TypedDict):
    """A row of a list of debates: its progress, if it has `phases`, else its decision."""

    name: str
    question: str
    nth: int
    """1, or a number that distinguishes rows with the same question."""
    beside: str
    override: str
    """Text of the red chip for a decision against the count, or empty."""
    chips: list[str]
    phases: list[str]
    """`done`, `now` or `next` for each phase."""
    stands: str
    letter: str
    decided: bool
    votes: SmallVotesPart | None
    count: str
    button: str
    primary: bool
    date: str
    again: str
    """Label of the small button that sets the debate up again; empty without one."""


class MarksRow(TypedDict):
    """Marks of people for one option and against it."""

    letter: str
    option: str
    supports: int
    against: int


class NamedOption(TypedDict):
    """An option, its letter, and its meaning; "" without one."""

    letter: str
    option: str
    meaning: str


class GivenPoints(TypedDict):
    """An unfinished ballot: the points of each option, in the order of the options drawn."""

    points: list[int | None]
    abstains: bool


class RailClaim(TypedDict):
    """A claim of the round, shortened to 20 words."""

    id: str
    number: int
    text: str
    letter: str
    side: str
    status: str
    chosen: bool
    """True if it is linked."""


@cache
def _component() -> ComponentRenderer:
    names = ("panel", "rows", "evidence", "transcript", "protocols", "desk", "ranked", "wall")
    scripts = [_HERE / f"{name}.js" for name in ("face", *names, "argument_map")]
    styles = [_HERE / f"{name}.css" for name in ("face", *names)]
    return fetched.component("debate_face", html='<div class="face"></div>', scripts=scripts, styles=styles)


def draw(part: Mapping[str, object], *, key: str, on: Mapping[str, Callable[[str], None]] | None = None) -> None:
    """Draw a part of any shape. `on`: event of the part -> function that gets its text."""
    presses: dict[str, Any] = {
        f"on_{event}_change": partial(_pass_value, key, event, then) for event, then in (on or {}).items()
    }
    _component()(key=key, data=part, **presses)


def draw_votes(
    bars: VoteBars,
    *,
    key: str,
    title: str | None = None,
    reveals: bool = False,
    names: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Draw a poll; with `reveals`, new votes appear option by option. `names`: under the pointer, by option."""
    part = votes_part(bars, title=title, reveals=reveals)
    for bar in part["bars"]:
        if names and (of_option := names[bar["option"]]):
            bar["names"] = spoken_list(of_option)
    _component()(key=key, data=part)


def draw_rule(rule: RulePart, *, key: str) -> None:
    """Draw the votes needed in a future poll."""
    alt = f"{rule['title']}, {rule['beside']}: {rule['under']}."
    _component()(key=key, data={"part": "rule", "alt": alt, **rule})


def draw_hero(
    status: DecisionStatus,
    bars: VoteBars | None,
    facts: Sequence[tuple[str, str, str]],
    others: Sequence[tuple[str, str]] = (),
    *,
    reasons: Sequence[tuple[str, str]] = (),
    when: str,
    key: str,
) -> None:
    """Draw the decision with its votes. `facts` are label, value and unit; `reasons` and `others` label and text."""
    hero = HeroPart(
        part="hero",
        status=status.status,
        when=when,
        option=status.option,
        letter=status.letter,
        headline=status.headline,
        line=status.line,
        signed=status.is_signed,
        facts=[*facts],
        reasons=[*reasons],
        others=[*others],
        note=status.of_no_person,
        cautions=[CautionPart(words=c.words, reason=c.reason, level=c.level) for c in status.cautions],
        hints=status.hints,
        votes=votes_part(bars) if bars else None,
    )
    _component()(key=key, data=hero)


def draw_strip(status: DecisionStatus, *, key: str) -> None:
    """Draw the decision in one line."""
    strip = StripPart(
        part="strip",
        status=status.status,
        option=status.option,
        letter=status.letter,
        headline=status.headline,
        line=status.line,
        signed=status.is_signed,
    )
    _component()(key=key, data=strip)


def steps_part(steps: Sequence[AgendaStep]) -> Mapping[str, object]:
    """Return the agenda; on a phone, only the current step has a name."""
    return {"part": "steps", "steps": [asdict(step) for step in steps]}


def draw_live(
    part: Mapping[str, object] | None,
    *,
    name: str,
    debate: str,
    version: int,
    on: Mapping[str, Callable[[str], None]] | None = None,
) -> None:
    """Draw a part of this version of a debate, which the browser replaces by newer ones from the live socket.

    With an empty `debate` no newer part replaces it. For None the place is empty until a part comes. `on`: as `draw`
    takes it.
    """
    live = {"live": {"name": name, "debate": debate}} if debate else {}
    draw({**(part or {"part": "nothing"}), **live, "version": version}, key=f"{name}-part", on=on)


def draw_moves(counts: Sequence[str], seats: Sequence[SeatPart], *, key: str) -> None:
    """Draw a table of each seat's option after each count."""
    _component()(key=key, data={"part": "moves", "counts": [*counts], "seats": [*seats]})


def draw_reasons(options: Sequence[OptionPart], *, key: str, on_open: Callable[[str], None]) -> None:
    """Draw the claims for and against each option; `on_open` gets the id of a clicked claim."""
    draw({"part": "reasons", "options": [*options]}, key=key, on={"open": on_open})


def draw_marks(rows: Sequence[MarksRow], *, under: str, key: str) -> None:
    """Draw the marks of the room on all passages, for each option."""
    each = "; ".join(
        _(
            "{option} {supporting} for, {opposing} against",
            option=row["option"],
            supporting=row["supports"],
            opposing=row["against"],
        )
        for row in rows
    )
    given = {
        "part": "marks",
        "title": _("Marks of the room"),
        "alt": _("Marks of the room: {each}.", each=each),
        "under": under,
    }
    _component()(key=key, data={**given, "rows": [*rows]})


def rail_part(
    title: str, beside: str, claims: Sequence[RailClaim], *, opens: bool, toggles: bool = False
) -> Mapping[str, object]:
    """Return claims in a column. With `opens` they are buttons; with `toggles` the buttons show their state."""
    given = {"part": "rail", "title": title, "beside": beside, "claims": [*claims]}
    return {**given, "opens": opens, "toggles": toggles}


def draw_rail(part: Mapping[str, object], *, key: str, on_open: Callable[[str], None]) -> None:
    """Draw a column of claims whose buttons call `on_open` with the id of a claim."""
    draw(part, key=key, on={"open": on_open})


def ask_shares(
    label: str,
    options: Sequence[NamedOption],
    given: Sequence[int],
    *,
    unsaid: str,
    equal: str,
    key: str,
    on_said: Callable[[], None],
) -> None:
    """Draw sliders for whole percentages with the sum 100; `said` returns them after the first change.

    With the words `unsaid` in place of numbers nothing is said yet; the button `equal` beside them then says `given`.
    """
    data = {"part": "probs", "name": key, "label": label, "options": [*options], "given": [*given]}
    data |= {"unsaid": unsaid, "equal": equal}
    _component()(key=key, data=data, on_said_change=on_said)


def ask_ballot(
    label: str,
    asked: str,
    kind: str,
    options: Sequence[NamedOption],
    given: GivenPoints,
    *,
    most: int,
    words: Sequence[str] = (),
    drivers: Sequence[tuple[str, str]] = (),
    key: str,
    on_said: Callable[[], None],
) -> None:
    """Draw a ballot with rows for a thumb: ranks, approvals, up to `most` points, or `most` dots.

    `said` returns `GivenPoints`. `words` replace the points. With `drivers`, every option has a row for each of them;
    the points are listed by driver.
    """
    weighed = [{"name": name, "beside": beside} for name, beside in drivers]
    rows = {"options": [*options], "most": most, "words": [*words], "drivers": weighed}
    data = {"part": "pick", "name": key, "label": label, "asked": asked, "kind": kind, **rows}
    _component()(key=key, data={**data, "given": given}, on_said_change=on_said)


def scroll_here(*, key: str, block: Literal["start", "center", "nearest"] = "center") -> None:
    """Scroll this place to the top or the middle, or into view if it is outside the window; once for each key."""
    _component()(key=key, data={"part": "here", "block": block})


def said(key: str) -> object:
    """Return the last input of the component with this key; None before any input."""
    state = st.session_state.get(key)
    return state.get("said") if state else None


def _pass_value(key: str, name: str, then: Callable[[str], None]) -> None:
    """Call `then` with a text that the component has sent."""
    value = getattr(st.session_state[key], name, None)
    if isinstance(value, str):
        then(value)


def draw_way(names: Sequence[str], *, key: str) -> None:
    """Draw the stages of a decision in a few words, the first one highlighted."""
    _component()(key=key, data={"part": "way", "names": [*names]})


def plain_row(name: str, title: str, beside: str, *, button: str, count: str = "", primary: bool = False) -> RowPart:
    """Return a row without progress and votes: a question, a rehearsal, a practice debate."""
    return RowPart(
        name=name,
        question=title,
        nth=1,
        beside=beside,
        override="",
        chips=[],
        phases=[],
        stands="",
        letter="",
        decided=False,
        votes=None,
        count=count,
        button=button,
        primary=primary,
        date="",
        again="",
    )


def draw_list(
    rows: Sequence[RowPart],
    *,
    label: str,
    key: str,
    dense: bool = False,
    on_again: Callable[[str], None] | None = None,
) -> str:
    """Draw rows with a button each, and return the name of the row just clicked, or an empty text.

    Dense rows have two lines and stand side by side on a wide screen. `on_again` gets the name of a row whose small
    button was clicked.
    """
    data = {"part": "list", "label": label, "dense": dense, "rows": [*rows]}

    def set_up_again() -> None:
        if on_again:
            _pass_value(key, "again", on_again)

    _component()(
        key=key,
        data=data,
        on_open_change=lambda: _pass_value(key, "open", partial(click_guard.note, key)),
        on_again_change=set_up_again,
    )
    chosen = click_guard.taken(key)
    return next((row["name"] for row in rows if row["name"] == chosen), "")


def small_votes_part(bars: VoteBars) -> SmallVotesPart:
    """Return a poll for a row of a list."""
    sealed = bars.is_sealed
    leading = bars.leading
    has = bars.cast if sealed else max((bar.has for bar in leading), default=0)
    letter = leading[0].letter if len(leading) == 1 else ""
    # Sealed ballots are a turnout, to which no number of votes for one option compares.
    needed = None if sealed else bars.needed
    of = bars.eligible if sealed else bars.of
    return SmallVotesPart(
        alt=votes_alt(bars), heads=bars.in_heads, sealed=sealed, letter=letter, has=has, of=of, needed=needed
    )


def votes_part(bars: VoteBars, *, title: str | None = None, reveals: bool = False) -> VotesPart:
    """Return a poll for `draw_votes`."""
    options = [
        BarPart(letter=bar.letter, option=bar.option, has=bar.has, before=bar.before, wins=bar.wins)
        for bar in bars.bars
    ]
    return VotesPart(
        part="votes",
        title=votes_title(bars) if title is None else title,
        alt=votes_alt(bars),
        heads=bars.in_heads,
        sealed=bars.is_sealed,
        advice=not bars.decides,
        unit=named(bars.unit),
        of=bars.of,
        needed=bars.needed,
        clause=threshold_words(bars) if bars.decides else _("advice"),
        ends=_ends_words(bars),
        cast=bars.cast,
        eligible=bars.eligible,
        bars=options,
        reveals=reveals,
    )


def _ends_words(bars: VoteBars) -> str:
    """Seats have no vote before the debate: their first count is in its rounds."""
    if all(bar.before is None for bar in bars.bars):
        return ""
    return _("○ first count  ● last") if bars.are_of_seats else _("○ before  ● after")


def votes_title(bars: VoteBars) -> str:
    """Return `Votes of the room`, marked if it is advice."""
    title = VOTES_OF[bars.voters]
    return title if bars.decides else _("{titles} · advice", titles=title)


def votes_alt(bars: VoteBars) -> str:
    """Return `Votes of the room: outbox 3 before, 7 after; retries 2 before, 1 after. 7 of 12 needed.`"""
    needed = "" if bars.needed is None else f" {line_words(bars)}."
    if bars.is_sealed:
        return _(
            "{title}: {cast} of {eligible} voted.{needed}",
            title=votes_title(bars),
            cast=bars.cast,
            eligible=bars.eligible,
            needed=needed,
        )
    options = []
    for bar in bars.bars:
        text = f"{bar.option} {format_number(bar.has)}"
        if bar.before is not None:
            ends = _("{before} before, {has} after", before=bar.before, has=bar.has)
            if bars.are_of_seats:
                ends = _("{before} first, {has} last", before=bar.before, has=bar.has)
            text = f"{bar.option} {ends}"
        options.append(text)
    return f"{votes_title(bars)}: {'; '.join(options)}.{needed}"

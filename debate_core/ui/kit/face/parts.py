"""What the script draws: votes against the line, the decision, reasons, claims with their quotes. Counts nothing.

Each drawing says in words what it shows, for whoever cannot see it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import TypedDict

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from debate_core.language import Words, _, format_number
from debate_core.report.facts.agenda import AgendaStep
from debate_core.report.facts.counts import Number
from debate_core.report.facts.terms import named
from debate_core.report.facts.vote_bars import OptionBar, VoteBars
from debate_core.report.words.decision_status import Caution, DecisionStatus
from debate_core.report.words.rules import clause_words
from debate_core.ui.kit import fetched, presses

_HERE = Path(__file__).parent
_TITLES = Words({"debaters": "Votes of the seats", "panel": "Votes of the panel", "room": "Votes of the room"})


class BarPart(TypedDict):
    """What one option has."""

    letter: str
    option: str
    has: Number
    before: Number | None
    wins: bool


class VotesPart(TypedDict):
    """One vote."""

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
    """The bar where it is no number, or a note that the vote is advice."""
    cast: int
    eligible: int
    bars: list[BarPart]
    reveals: bool


class RulePart(TypedDict):
    """A vote that nobody has cast yet."""

    title: str
    beside: str
    heads: int
    """One square each; 0 = a bar, where it is not known how many will vote or their ballots weigh more than 1."""
    needed: int | None
    share: float | None
    """Where the line stands on a bar, from 0 to 1; None where the most votes win."""
    under: str


class CautionPart(TypedDict):
    """A chip, and the reason that it opens; `level` is override, grave or well."""

    words: str
    reason: str
    level: str


class HeroPart(TypedDict):
    """The decision."""

    part: str
    status: str
    when: str
    option: str | None
    letter: str
    headline: str
    line: str
    facts: list[tuple[str, str, str]]
    note: str
    """A warning about the result as a whole."""
    cautions: list[CautionPart]
    votes: VotesPart | None


class StripPart(TypedDict):
    """The decision in one line."""

    part: str
    status: str
    option: str | None
    letter: str
    headline: str
    line: str


class HeldPart(TypedDict):
    """What a seat held after one count."""

    letter: str
    words: str
    moved: bool
    why: str


class SeatPart(TypedDict):
    """One row: a seat, and what it held after each count."""

    name: str
    cells: list[HeldPart]


class ReasonPart(TypedDict):
    """A claim about an option; `claim` is its id, which is not shown."""

    claim: str
    name: str
    side: str
    text: str
    beside: str


class OptionPart(TypedDict):
    """An option and what speaks for and against it."""

    letter: str
    option: str
    lines: list[ReasonPart]


class SmallVotesPart(TypedDict):
    """One vote, 13 px high: what the leading option has against the line. No letter where several stand level."""

    alt: str
    heads: bool
    sealed: bool
    letter: str
    has: Number
    of: Number
    needed: Number | None


class RowPart(TypedDict):
    """One row of a list. With `phases` it shows how far it has come, else what was decided."""

    name: str
    question: str
    nth: int
    """1, or for another row on the page with the same question the number that tells them apart."""
    beside: str
    override: str
    """The red chip of a decision against the count; empty for every other row."""
    chips: list[str]
    large: bool
    """True for what runs now and stands above the lists."""
    phases: list[str]
    """`done`, `now` or `next`, one by one."""
    stands: str
    letter: str
    decided: bool
    votes: SmallVotesPart | None
    count: str
    button: str
    primary: bool
    date: str


class LinkPart(TypedDict):
    """Another claim or turn: `answered by`, who, in which round, and what they said. `claim` opens that claim."""

    verb: str
    who: str
    name: str
    text: str
    claim: str


class MarksRow(TypedDict):
    """Marks of people for one option and against it."""

    letter: str
    option: str
    supports: int
    against: int


class MarkPart(TypedDict):
    """How people read one passage: `for`, `against` or `neutral`, the letter of the option, how many."""

    side: str
    letter: str
    people: int


class NamedOption(TypedDict):
    """An option and the letter that it has everywhere."""

    letter: str
    option: str


class GivenPoints(TypedDict):
    """A ballot as it is filled in so far: by option what it gets, in the order of the options drawn."""

    points: list[int | None]
    abstains: bool


class RailClaim(TypedDict):
    """A claim of the round, in 20 words; `id` is not shown."""

    id: str
    number: int
    text: str
    letter: str
    side: str
    status: str
    chosen: bool
    """Pressed already: it is linked."""


class QuotePart(TypedDict):
    """A quote in its source: which of the `sources`, and the marks as block, first and last sign."""

    source: int
    heading: str
    marks: list[tuple[int, int, int]]


class ClaimPart(TypedDict):
    """A claim; `id` is not shown, but as a tooltip."""

    id: str
    number: int
    text: str
    who: str
    when: str
    letter: str
    side: str
    status: str
    notes: list[str]
    quote: str
    verdict: str
    left_out: str
    holds: bool
    quoted: QuotePart | None
    links: list[LinkPart]
    marks: list[MarkPart]
    marked: str
    """The same marks in words; empty if nobody has marked it."""


class SourcePart(TypedDict):
    """What is opened of a document: (is it a heading, text) by block, and whether it was cut before and after."""

    title: str
    blocks: list[tuple[bool, str]]
    cut_before: bool
    cut_after: bool


@cache
def _component() -> ComponentRenderer:
    scripts = [_HERE / name for name in ("face.js", "desk.js", "ranked.js", "wall.js")]
    styles = [_HERE / name for name in ("face.css", "rows.css", "evidence.css", "desk.css", "wall.css", "ranked.css")]
    return fetched.component("debate_face", html='<div class="face"></div>', scripts=scripts, styles=styles)


def draw(part: Mapping[str, object], *, key: str) -> None:
    """A part whose shape is said elsewhere."""
    _component()(key=key, data=part)


def draw_votes(bars: VoteBars, *, key: str, title: str | None = None, reveals: bool = False) -> None:
    """One vote against its line; with `reveals` what is new appears option by option."""
    _component()(key=key, data=votes_part(bars, title=title, reveals=reveals))


def draw_rule(rule: RulePart, *, key: str) -> None:
    """The empty squares of a vote to come, and the line that was agreed."""
    alt = f"{rule['title']}, {rule['beside']}: {rule['under']}."
    _component()(key=key, data={"part": "rule", "alt": alt, **rule})


def draw_hero(
    status: DecisionStatus, bars: VoteBars | None, facts: Sequence[tuple[str, str, str]], *, when: str, key: str
) -> None:
    """The decision with the votes that made it. `facts` are label, value and what stands small beside it."""
    hero = HeroPart(
        part="hero",
        status=status.status,
        when=when,
        option=status.option,
        letter=status.letter,
        headline=status.headline,
        line=status.line,
        facts=[*facts],
        note=status.of_no_person,
        cautions=[_caution_part(caution) for caution in status.cautions],
        votes=votes_part(bars) if bars else None,
    )
    _component()(key=key, data=hero)


def draw_strip(status: DecisionStatus, *, key: str) -> None:
    """The decision in one line."""
    strip = StripPart(
        part="strip",
        status=status.status,
        option=status.option,
        letter=status.letter,
        headline=status.headline,
        line=status.line,
    )
    _component()(key=key, data=strip)


def draw_steps(steps: Sequence[AgendaStep], *, key: str) -> None:
    """The agenda; on a phone only the step of now has a name."""
    _component()(key=key, data={"part": "steps", "steps": [asdict(step) for step in steps]})


def draw_moves(counts: Sequence[str], seats: Sequence[SeatPart], *, key: str) -> None:
    """Who held what after each count, as a table."""
    _component()(key=key, data={"part": "moves", "counts": [*counts], "seats": [*seats]})


def draw_reasons(options: Sequence[OptionPart], *, key: str, on_open: Callable[[str], None]) -> None:
    """What speaks for and against each option; a claim that is pressed is given to `on_open`."""
    given = {"part": "reasons", "options": [*options]}
    _component()(key=key, data=given, on_open_change=lambda: _pressed(key, "open", on_open))


def draw_marks(rows: Sequence[MarksRow], *, under: str, key: str) -> None:
    """The marks of the room on all passages, option by option."""
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


def draw_rail(
    title: str,
    beside: str,
    claims: Sequence[RailClaim],
    *,
    key: str,
    on_open: Callable[[str], None] | None,
    toggles: bool = False,
) -> None:
    """A few claims in one column; with `on_open` each can be pressed, and `toggles` says which are pressed already."""
    can_open = on_open is not None
    given = {"part": "rail", "title": title, "beside": beside, "claims": [*claims], "opens": can_open}
    opened = on_open or _nothing_to_open
    _component()(key=key, data={**given, "toggles": toggles}, on_open_change=lambda: _pressed(key, "open", opened))


def _nothing_to_open(_: str) -> None:
    """Nobody can press what has no button."""


def ask_shares(
    label: str, options: Sequence[NamedOption], given: Sequence[int], *, key: str, on_said: Callable[[], None]
) -> None:
    """Whole percentages that add up to 100, one a slider and a number; `said` gives them once they were moved."""
    data = {"part": "probs", "label": label, "options": [*options], "given": [*given]}
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
    """Rows for a thumb: places, approvals, points up to `most`, or `most` dots; `said` gives `GivenPoints`.

    `words` stand for the points where these are words. `drivers`: under each name every option has a row of its own,
    and the points are given driver by driver.
    """
    weighed = [{"name": name, "beside": beside} for name, beside in drivers]
    rows = {"options": [*options], "most": most, "words": [*words], "drivers": weighed}
    data = {"part": "pick", "label": label, "asked": asked, "kind": kind, **rows}
    _component()(key=key, data={**data, "given": given}, on_said_change=on_said)


def said(key: str) -> object:
    """What was told last by what is asked under this key; None before anything was moved or pressed."""
    told = st.session_state.get(key)
    return told.get("said") if told else None


def draw_evidence(
    claims: Sequence[ClaimPart],
    sources: Sequence[SourcePart],
    options: Mapping[str, str],
    *,
    at: str,
    key: str,
    on_mark: Callable[[str], None],
) -> None:
    """Claims as a list, and the one that is chosen with its quote in its source; `at` is the id of the first one shown.

    Choosing and filtering happen in the browser. `options` are name and letter.
    """
    given = {
        "part": "evidence",
        "at": at,
        "claims": [*claims],
        "sources": [*sources],
        "options": [{"option": option, "letter": letter} for option, letter in options.items()],
    }
    _component()(key=key, data=given, on_mark_change=lambda: _pressed(key, "mark", on_mark))


def _pressed(key: str, name: str, then: Callable[[str], None]) -> None:
    value = getattr(st.session_state[key], name, None)
    if isinstance(value, str):
        then(value)


def draw_way(names: Sequence[str], *, key: str) -> None:
    """The way of a decision in a few words, the first of them in ink."""
    _component()(key=key, data={"part": "way", "names": [*names]})


def plain_row(name: str, title: str, beside: str, *, button: str, count: str = "", primary: bool = False) -> RowPart:
    """A row of something that has no course and no votes: a question, a rehearsal, a practice debate."""
    return RowPart(
        name=name,
        question=title,
        nth=1,
        beside=beside,
        override="",
        chips=[],
        large=False,
        phases=[],
        stands="",
        letter="",
        decided=False,
        votes=None,
        count=count,
        button=button,
        primary=primary,
        date="",
    )


def draw_list(rows: Sequence[RowPart], *, label: str, key: str) -> str:
    """Rows with one button each; the name of the row that was pressed just now, else an empty text."""
    data = {"part": "list", "label": label, "rows": [*rows]}
    _component()(key=key, data=data, on_open_change=lambda: _pressed(key, "open", partial(presses.note, key)))
    chosen = presses.taken(key)
    return next((row["name"] for row in rows if row["name"] == chosen), "")


def small_votes_part(bars: VoteBars) -> SmallVotesPart:
    """The same vote as in `votes_part`, for a row of a list."""
    has = bars.cast if bars.is_sealed else max(bar.has for bar in bars.bars)
    leading = [bar.letter for bar in bars.bars if bar.has == has]
    of = bars.eligible if bars.is_sealed else bars.of
    return SmallVotesPart(
        alt=votes_alt(bars),
        heads=bars.in_heads,
        sealed=bars.is_sealed,
        letter=leading[0] if len(leading) == 1 else "",
        has=has,
        of=of,
        # Weights have no line among heads.
        needed=bars.needed if of == bars.of else None,
    )


def votes_part(bars: VoteBars, *, title: str | None = None, reveals: bool = False) -> VotesPart:
    """The shape that the script draws."""
    return VotesPart(
        part="votes",
        title=_title(bars) if title is None else title,
        alt=votes_alt(bars),
        heads=bars.in_heads,
        sealed=bars.is_sealed,
        advice=not bars.decides,
        unit=named(bars.unit),
        of=bars.of,
        needed=bars.needed,
        clause=clause_words(bars.rule) if bars.decides else _("advice"),
        cast=bars.cast,
        eligible=bars.eligible,
        bars=[
            BarPart(letter=bar.letter, option=bar.option, has=bar.has, before=bar.before, wins=bar.wins)
            for bar in bars.bars
        ],
        reveals=reveals,
    )


def _title(bars: VoteBars) -> str:
    title = _TITLES[bars.voters]
    if bars.decides:
        return title
    return _("{titles} · advice", titles=title)


def votes_alt(bars: VoteBars) -> str:
    """`Votes of the room: outbox 3 before, 7 after; retries 2 before, 1 after. 7 of 12 needed.`"""
    needed = "" if bars.needed is None else _(" {needed} of {of} needed.", needed=bars.needed, of=bars.of)
    if bars.is_sealed:
        return _(
            "{title}: {cast} of {eligible} voted.{needed}",
            title=_title(bars),
            cast=bars.cast,
            eligible=bars.eligible,
            needed=needed,
        )
    each = "; ".join(_bar_words(bar) for bar in bars.bars)
    return f"{_title(bars)}: {each}.{needed}"


def _bar_words(bar: OptionBar) -> str:
    if bar.before is None:
        return f"{bar.option} {format_number(bar.has)}"
    return _("{option} {before} before, {has} after", option=bar.option, before=bar.before, has=bar.has)


def _caution_part(caution: Caution) -> CautionPart:
    return CautionPart(words=caution.words, reason=caution.reason, level=caution.level)

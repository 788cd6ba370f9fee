"""The evidence: every claim with its quote in its source, the same as a table, and a person's mark on a claim.

Knows no rules: draws readings of an account, which has nothing in it that is still hidden from this person.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

import streamlit as st

from debate_core.engine.stage import name_of
from debate_core.language import Words, _
from debate_core.record.commands import SetMark
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.claim_reading import ClaimLink, ClaimReading, LinkKind, Quoted, claim_readings
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.people_marks import MarkRow, by_passage
from debate_core.report.facts.reason_labels import author_reason
from debate_core.report.facts.source_text import blocks_of, blocks_within
from debate_core.report.facts.turns import TurnRow
from debate_core.report.facts.vote_bars import letters
from debate_core.report.words.evidence import STATUS_WORDS, VERDICT_WORDS, gap_words
from debate_core.report.words.marks import marks_words, reading_words
from debate_core.report.words.names import claim_name
from debate_core.spec.contents import Mark
from debate_core.spec.values import in_words
from debate_core.text import capitalized
from debate_core.ui.kit import session
from debate_core.ui.kit.face import parts
from debate_core.ui.kit.face.parts import ClaimPart, LinkPart, MarkPart, QuotePart, SourcePart
from debate_core.ui.kit.presses import submitted
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.results import opinion_groups

AT = "evidence_at"
"""In the session state: id of the claim that is opened first."""
MARKING = "mark_open"
"""In the session state: whether the form for a mark is open."""
_SIDES = Words({"supports": "for", "against": "against", "neutral": "neutral"})
_VERBS: Words[LinkKind] = Words(
    {
        "answers": "answers",
        "repeats": "repeats",
        "answered": "answered by",
        "accepted": "accepted by",
        "moved": "moved",
    }
)


def show(account: Account) -> None:
    """Claims and what they rest on; the table and the form for a mark are one press away."""
    state = account.state
    if not account.claims:
        st.caption(no_claim_words(account))
        return
    claims, sources = account.once(_drawn)
    letter = letters(state.spec.options)
    parts.draw_evidence(claims, sources, letter, at=st.session_state.get(AT, ""), key="evidence", on_mark=_begin_mark)
    twin = st.expander(_("The same as a table"), icon=":material/table:", key="evidence_twin", on_change="rerun")
    if twin.open:
        with twin:
            _table(account)
    form = st.expander(_("Mark a claim"), icon=":material/edit:", key=MARKING, on_change="rerun")
    if form.open:
        with form:
            _mark_form(account)
    opinion_groups.show(account)


def no_claim_words(account: Account) -> str:
    """Reason for an empty list of claims; what is sealed is not missing."""
    if account.hides_turns:
        return _("The claims of this phase are sealed until everyone has answered.")
    return _("No claim was made.") if account.state.outcome else _("No claim has been made yet.")


def _begin_mark(claim_id: str) -> None:
    st.session_state[MARKING] = True
    st.session_state["mark_claim"] = claim_id


def _drawn(account: Account) -> tuple[list[ClaimPart], list[SourcePart]]:
    opened = list[SourcePart]()
    places = dict[tuple[str, int], int]()
    claims = []
    for reading in account.once(claim_readings):
        quoted = None
        if found := reading.quoted:
            stretch = found.source.id, found.stretch[0]
            if stretch not in places:
                places[stretch] = len(opened)
                opened.append(_source_part(found))
            quoted = _quote_part(found, places[stretch])
        claims.append(_claim_part(account, reading, quoted))
    return claims, opened


def _claim_part(account: Account, reading: ClaimReading, quoted: QuotePart | None) -> ClaimPart:
    row = reading.row
    letter = letters(account.state.spec.options)
    marks = account.once(_marks).get(row.claim_id, ())
    return ClaimPart(
        id=row.claim_id,
        number=reading.number,
        text=row.claim,
        who=_who(account, row),
        when=_("round {round}", round=row.round),
        letter=letter.get(reading.option or "", ""),
        side=reading.side,
        status=STATUS_WORDS.english(row.status),
        notes=_notes(account, reading),
        quote=row.evidence_text,
        verdict=VERDICT_WORDS[row.quote_verified],
        left_out=gap_words(row.left_out_of_quote),
        holds=row.quote_verified in ("verbatim", "near"),
        quoted=quoted,
        links=[_link_part(account, link) for link in reading.links],
        marks=_mark_parts(marks, letter),
        marked=marks_words(marks),
    )


def _who(account: Account, row: ClaimRow) -> str:
    """`Risk (Ann)`, `Risk (gpt-6)`: the seat that made a claim, and the person or model that gave its turn."""
    seat = capitalized(in_words(row.seat))
    turn = account.once(_turns)[row.turn_id]
    person = name_of(account.state, turn.by) if turn.by in account.state.room.people else ""
    name = person or turn.model
    return f"{seat} ({name})" if name else seat


def _turns(account: Account) -> Mapping[str, TurnRow]:
    return {turn.turn_id: turn for turn in account.turns}


def _mark_parts(marks: Sequence[MarkRow], letter: Mapping[str, str]) -> list[MarkPart]:
    return [
        MarkPart(side=_SIDES[mark.reading], letter=letter.get(mark.option, ""), people=mark.people)
        for mark in marks
        if mark.reading != "skipped"
    ]


def _marks(account: Account) -> Mapping[str, tuple[MarkRow, ...]]:
    """How the room marked each passage, as far as it is shown."""
    return by_passage(account.marks)


def _notes(account: Account, reading: ClaimReading) -> list[str]:
    """What else is to be known of a claim, a sentence each."""
    notes = []
    if reading.is_struck:
        notes.append(_("Its turn was struck."))
    if reading.argues_for:
        notes.append(
            _("Its turn argues for {argues_for}, and its ballot says otherwise.", argues_for=reading.argues_for)
        )
    if given := reading.mark:
        why = f": {given.reason}" if given.reason else ""
        notes.append(
            _(
                "Marked by {person} as {reading}{why}.",
                person=name_of(account.state, given.by),
                reading=reading_words(given.mark),
                why=why,
            )
        )
    return notes


def _link_part(account: Account, link: ClaimLink) -> LinkPart:
    name = claim_name(account, link.claim_id) if link.claim_id else _("round {round}", round=link.round)
    who = capitalized(in_words(link.seat))
    return LinkPart(verb=_VERBS.english(link.kind), who=who, name=name, text=_short(link.text), claim=link.claim_id)


def _short(text: str, most: int = 240) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1].rstrip()}…"


def _source_part(found: Quoted) -> SourcePart:
    text, (low, high) = found.source.text, found.stretch
    blocks = [(b.is_heading, text[b.start : b.end]) for b in blocks_within(blocks_of(text), found.stretch)]
    return SourcePart(title=found.source.title, blocks=blocks, cut_before=low > 0, cut_after=high < len(text))


def _quote_part(found: Quoted, source: int) -> QuotePart:
    """The places of the quote within the blocks that are shown."""
    marks = [
        (number, max(start, block.start) - block.start, min(end, block.end) - block.start)
        for number, block in enumerate(blocks_within(blocks_of(found.source.text), found.stretch))
        for start, end in found.places
        if start < block.end and end > block.start
    ]
    return QuotePart(source=source, heading=found.heading, marks=marks)


def _table(account: Account) -> None:
    """Every claim with what could be checked about it, and filters."""
    readings = account.once(claim_readings)
    shown = _filtered(readings)
    if not shown:
        st.caption(_("No claim matches these filters."))
        return
    st.caption(_("{shown} of {readings}. Choose a row to mark it below.", shown=len(shown), readings=len(readings)))
    draw_table(
        [_record(reading) for reading in shown],
        column_order=_columns(shown),
        key="evidence_table",
        on_select=_choose_claim,
        selection_mode="single-row",
        column_config={
            _("Claim"): st.column_config.TextColumn(width="large"),
            _("Quote"): st.column_config.TextColumn(width="medium"),
            _("Marker"): st.column_config.TextColumn(help=_("Numbers, units, dates or measures named in the claim")),
        },
        alt=_("Claims and what could be checked about each"),
    )
    st.session_state["shown_claims"] = [reading.row.claim_id for reading in shown]


def _columns(readings: Sequence[ClaimReading]) -> list[str]:
    """Columns about quotes only where something is quoted."""
    quoted = any(reading.row.evidence_text for reading in readings)
    of_quotes = [_("Quote"), _("Quote check"), _("Source")] if quoted else []
    return [_("No."), _("Claim"), *of_quotes, _("Seat"), _("Round"), _("Status"), _("Marker"), _("Mark")]


def _record(reading: ClaimReading) -> dict[str, str | int]:
    row = reading.row
    status = STATUS_WORDS[row.status]
    if reading.is_struck:
        status = _("{status}, its turn was struck", status=status)
    source = reading.quoted.source.title if reading.quoted else row.source_ref
    return {
        _("No."): reading.number,
        _("Claim"): row.claim,
        _("Quote"): row.evidence_text,
        _("Seat"): in_words(row.seat),
        _("Round"): row.round,
        _("Status"): status,
        _("Quote check"): f"{VERDICT_WORDS[row.quote_verified]}{gap_words(row.left_out_of_quote)}",
        _("Marker"): ", ".join(row.marker_matches) or _("none"),
        _("Mark"): _mark_words(reading) or _("not marked"),
        _("Source"): source,
    }


def _filtered(readings: Sequence[ClaimReading]) -> list[ClaimReading]:
    """What passes every filter; an empty one lets everything pass."""
    grid = st.grid(3, min_column_width=220)
    words = [_filter_words(reading) for reading in readings]
    passing = [*zip(readings, words, strict=True)]
    for name in words[0]:
        there = [*dict.fromkeys(of_claim[name] for of_claim in words)]
        wanted = grid.multiselect(_(name), there, key=f"filter_{name}", placeholder=_("any"))
        passing = [pair for pair in passing if not wanted or pair[1][name] in wanted]
    return [reading for reading, _words in passing]


def _filter_words(reading: ClaimReading) -> dict[str, str]:
    """Filter -> what this claim has there."""
    row = reading.row
    return {
        "Seat": in_words(row.seat),
        "Round": _("round {round}", round=row.round),
        "Status": STATUS_WORDS[row.status],
        "Quote check": VERDICT_WORDS[row.quote_verified],
        "Mark": _mark_words(reading) or _("not marked"),
        "Marker": _("has a marker") if row.has_evidence_marker else _("no marker"),
    }


def _mark_words(reading: ClaimReading) -> str:
    """`for outbox`; empty for a claim that nobody has marked."""
    return reading_words(reading.mark.mark) if reading.mark else ""


def _choose_claim() -> None:
    chosen = st.session_state["evidence_table"]["selection"]["rows"]
    shown = st.session_state.get("shown_claims", [])
    if chosen and chosen[0] < len(shown):
        _begin_mark(shown[chosen[0]])


def _mark_form(account: Account) -> None:
    """A person's reading of one claim: which option it supports or opposes."""
    state = account.state
    by_id = {reading.row.claim_id: reading for reading in account.once(claim_readings)}
    if st.session_state.get("mark_claim") not in by_id:
        st.session_state.pop("mark_claim", None)
    claim_id = st.selectbox(_("Claim"), list(by_id), key="mark_claim", format_func=lambda i: _label(by_id[i]))
    reading = by_id[claim_id]
    st.markdown(safe_text(reading.row.evidence_text or reading.row.claim))
    st.caption(_("Mark so far: {mark}", mark=safe_line(_mark_words(reading) or _("none"))))
    if label := author_reason(state.spec.sources, None, reading.row.claim, ()).words:
        st.caption(_("The author wrote “{label}”.", label=safe_line(label)))
    with st.container(key="marking"), st.form("mark", border=False):
        what, why, act = st.columns([3, 5, 2], vertical_alignment="bottom")
        readings = _readings(state, claim_id)
        chosen = what.selectbox(_("What it says"), readings, key="mark_reading", format_func=reading_words)
        reason = why.text_input(_("Reason, if you like"), key="mark_reason", max_chars=2_000)
        me = session.me(state)
        may = partial(session.may_still_act, state.debate, me)
        if submitted(_("Set the mark"), key="set-mark", place=act, type="primary", width="stretch", may=may):
            _set_mark(account, me, chosen, reason or "")


def _label(reading: ClaimReading) -> str:
    return _("claim {number}: {claim}", number=reading.number, claim=_short(reading.row.claim, 90))


def _readings(state: State, claim_id: str) -> list[Mark]:
    both: tuple[Literal["supports", "against"], ...] = ("supports", "against")
    sided = [Mark(claim_id=claim_id, reading=reading, option=o) for reading in both for o in state.spec.options]
    return [*sided, Mark(claim_id=claim_id, reading="neutral")]


def _set_mark(account: Account, me: Me, mark: Mark, reason: str) -> None:
    state = account.state
    if session.give(state.debate, me, partial(SetMark, mark=mark, reason=reason)):
        st.toast(
            _(
                "Marked {claim}: {words}",
                claim=claim_name(account, mark.claim_id),
                words=safe_line(reading_words(mark)),
            )
        )
        st.rerun()
    session.show_problem()

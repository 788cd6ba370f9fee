"""The evidence: every claim with its quote and source, marks by people, and common ground.

Knows no rules: draws readings of an account, which contains nothing that is hidden from this person.
"""

from collections.abc import Sequence
from functools import partial
from typing import Literal

import streamlit as st

from debate_core.documents.document import page_at
from debate_core.engine.quotes import FOUND
from debate_core.engine.reason_labels import author_reason
from debate_core.engine.stage import name_of, speaker_name
from debate_core.language import Words, _, spoken_list
from debate_core.record.commands import SetMark
from debate_core.report.facts.account import Account
from debate_core.report.facts.claim_reading import (
    ClaimLink,
    ClaimReading,
    LinkKind,
    Quoted,
    claim_readings,
    contesting_seats,
)
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.crux import crux_claims
from debate_core.report.facts.opinion_groups import GroupStatement
from debate_core.report.facts.people_marks import MarkRow, by_passage
from debate_core.report.facts.source_text import blocks_of, blocks_within
from debate_core.report.facts.turns import TurnRow
from debate_core.report.facts.vote_bars import letters
from debate_core.report.phrases.evidence import STATUS_WORDS, VERDICT_WORDS, gap_words
from debate_core.report.phrases.marks import marks_words, reading_words
from debate_core.report.phrases.names import claim_name, giver_name
from debate_core.report.phrases.opinion_groups import (
    group_names,
    groups_words,
    how_found,
    statement_cells,
    titled_statements,
)
from debate_core.report.phrases.source_claims import source_sentences
from debate_core.spec.contents import Mark
from debate_core.text import capitalized
from debate_core.ui.kit import session
from debate_core.ui.kit.click_guard import submitted
from debate_core.ui.kit.components.claims import (
    ClaimPart,
    LinkPart,
    MarkPart,
    QuotePart,
    SourcePart,
    draw_evidence,
)
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.results.sections import table_button
from debate_core.ui.results.tabs import claim_to_open, open_turn

MARKING = "mark_open"
"""In the session state: True if the form for a mark is open."""
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
    """Draw the claims with their quotes; the form for a mark is in an expander."""
    state = account.state
    if not account.claims:
        st.caption(no_claim_words(account))
        _draw_sources(account)
        return
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.header(_("Claims"), anchor=False, width="content")
        table_button(account, _("Claims (CSV)"), "claims.csv")
    claims, sources = account.once(_make_parts)
    letter = letters(state.spec.options)
    presses = {"mark": _begin_mark, "turn": open_turn}
    draw_evidence(claims, sources, letter, at=claim_to_open(), key=f"evidence-{state.debate}", on=presses)
    label = _("Mark what a claim supports or opposes")
    form = st.expander(label, icon=":material/edit:", key=MARKING, on_change="rerun")
    if form.open:
        with form:
            _draw_mark_form(account)
    _draw_sources(account)
    _draw_same_vote(account)
    _draw_groups(account)


def _draw_sources(account: Account) -> None:
    """Draw what rested on documents of some seats, and what each document alone could have shown."""
    if sentences := source_sentences(account):
        st.subheader(_("What each source showed"), anchor=False)
        st.markdown("\n".join(f"- {safe_line(sentence)}" for sentence in sentences))


def _draw_same_vote(account: Account) -> None:
    """Draw the pairs of seats that vote alike for different reasons, after the end."""
    state = account.state
    rows = [row for row in account.same_vote if row.differs] if state.outcome else []
    if not rows:
        return
    st.subheader(_("Same vote in the end, other reasons"), anchor=False)
    lines = []
    for row in rows:
        seats = spoken_list([capitalized(speaker_name(state, row.first)), speaker_name(state, row.second)])
        claims = ", ".join(claim_name(account, claim) for claim in row.contradicted)
        why = _("one answers the other ({claims})", claims=claims) if claims else _("no claim in common")
        lines.append(_("- {seats} for {option}: {why}", seats=safe_line(seats), option=safe_line(row.option), why=why))
    st.markdown("\n".join(lines))


def no_claim_words(account: Account) -> str:
    """The reason for an empty list of claims."""
    if account.hides_turns:
        return _("The claims of this phase are sealed until everyone has answered.")
    return _("No claim was made.") if account.state.outcome else _("No claim has been made yet.")


def _begin_mark(claim_id: str) -> None:
    st.session_state[MARKING] = True
    st.session_state["mark_claim"] = claim_id


def _make_parts(account: Account) -> tuple[list[ClaimPart], list[SourcePart]]:
    """All claims, and each quoted stretch of a source once."""
    opened = list[SourcePart]()
    places = dict[tuple[str, int], int]()
    claims = []
    turns = {turn.turn_id: turn for turn in account.turns}
    marks = by_passage(account.marks)
    for reading in account.once(claim_readings):
        quoted = None
        if found := reading.quoted:
            stretch = found.source.id, found.stretch[0]
            if stretch not in places:
                places[stretch] = len(opened)
                opened.append(_make_source(found))
            quoted = _make_quote(found, places[stretch])
        turn = turns.get(reading.row.turn_id)
        claims.append(_make_claim(account, reading, turn, quoted, marks.get(reading.row.claim_id, ())))
    return claims, opened


def _make_claim(
    account: Account, reading: ClaimReading, turn: TurnRow | None, quoted: QuotePart | None, marks: Sequence[MarkRow]
) -> ClaimPart:
    row = reading.row
    letter = letters(account.state.spec.options)
    decided = account.once(crux_claims)
    links = [_make_link(account, link) for link in reading.links]
    part = ClaimPart(
        id=row.claim_id,
        number=reading.number,
        text=row.claim,
        wording=row.wording,
        turn="",
        seat=_("The room"),
        who=_("The room"),
        round=row.round,
        when=_("before the first vote"),
        letter=letter.get(reading.option or "", ""),
        side=reading.side,
        status=STATUS_WORDS.english(row.status),
        contested_by=_name_contesting(account, row),
        crux=row.claim_id in decided,
        mark=_mark_words(reading),
        notes=_list_notes(account, reading),
        quote=row.evidence_text,
        verdict=VERDICT_WORDS[row.quote_verified],
        left_out=gap_words(row.left_out_of_quote),
        holds=row.quote_verified in FOUND,
        quoted=quoted,
        links=links,
        marks=[
            MarkPart(side=_SIDES[mark.reading], letter=letter.get(mark.option, ""), people=mark.people)
            for mark in marks
            if mark.reading != "skipped"
        ],
        marked=marks_words(marks),
    )
    if turn:
        seat = capitalized(speaker_name(account.state, turn.seat))
        name = giver_name(account, turn)
        # `Risk (Ann)`, `Risk (gpt-6)`: the seat, and the person or model that gave its turn.
        who = f"{seat} ({name})" if name and name != seat else seat
        part |= {"turn": row.turn_id, "seat": seat, "who": who, "when": _("round {round}", round=row.round)}
    return part


def _name_contesting(account: Account, row: ClaimRow) -> str:
    seats = account.once(contesting_seats).get(row.wording, ()) if row.status == "contested" else ()
    return spoken_list([capitalized(speaker_name(account.state, seat)) for seat in seats])


def _list_notes(account: Account, reading: ClaimReading) -> list[str]:
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


def _make_link(account: Account, link: ClaimLink) -> LinkPart:
    name = claim_name(account, link.claim_id) if link.claim_id else _("round {round}", round=link.round)
    who = capitalized(speaker_name(account.state, link.seat))
    return LinkPart(verb=_VERBS.english(link.kind), who=who, name=name, text=_short(link.text), claim=link.claim_id)


def _short(text: str, most: int = 240) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1].rstrip()}…"


def _make_source(found: Quoted) -> SourcePart:
    text, (low, high) = found.source.text, found.stretch
    blocks = [(b.is_heading, text[b.start : b.end]) for b in blocks_within(blocks_of(text), found.stretch)]
    return SourcePart(title=found.source.title, blocks=blocks, cut_before=low > 0, cut_after=high < len(text))


def _make_quote(found: Quoted, source: int) -> QuotePart:
    """The places of the quote as (block, start, end), relative to the shown blocks."""
    marks = [
        (number, max(start, block.start) - block.start, min(end, block.end) - block.start)
        for number, block in enumerate(blocks_within(blocks_of(found.source.text), found.stretch))
        for start, end in found.places
        if start < block.end and end > block.start
    ]
    page = page_at(found.source.text, found.places[0][0]) if found.places else 0
    heading = ", ".join(filter(None, (_("page {page}", page=page) if page else "", found.heading)))
    return QuotePart(source=source, heading=heading, marks=marks)


def _mark_words(reading: ClaimReading) -> str:
    """`for outbox`; empty for a claim without a mark."""
    return reading_words(reading.mark.mark) if reading.mark else ""


def _draw_mark_form(account: Account) -> None:
    """Ask for a person's reading of one claim: the option that it supports or opposes."""

    def label_claim(claim_id: str) -> str:
        reading = by_id[claim_id]
        return _("claim {number}: {claim}", number=reading.number, claim=_short(reading.row.claim, 90))

    state = account.state
    by_id = {reading.row.claim_id: reading for reading in account.once(claim_readings)}
    if st.session_state.get("mark_claim") not in by_id:
        st.session_state.pop("mark_claim", None)
    claim_id = st.selectbox(_("Claim"), list(by_id), key="mark_claim", format_func=label_claim)
    reading = by_id[claim_id]
    st.markdown(safe_text(reading.row.evidence_text or reading.row.claim))
    st.caption(_("Mark so far: {mark}", mark=safe_line(_mark_words(reading) or _("none"))))
    if label := author_reason(state.spec.sources, None, reading.row.claim, ()).words:
        st.caption(_("The author wrote “{label}”.", label=safe_line(label)))
    with st.container(key="marking"), st.form("mark", border=False):
        what, why, act = st.columns([3, 5, 2], vertical_alignment="bottom")
        readings = _possible_marks(claim_id, state.spec.options)
        chosen = what.selectbox(_("It supports or opposes"), readings, key="mark_reading", format_func=reading_words)
        reason = why.text_input(_("Reason (optional)"), key="mark_reason", max_chars=2_000)
        me = session.me(state)
        may = partial(session.may_still_act, state.debate, me)
        if submitted(_("Set the mark"), key="set-mark", place=act, type="primary", width="stretch", may=may):
            _set_mark(account, me, chosen, reason or "")


def _possible_marks(claim_id: str, options: Sequence[str]) -> list[Mark]:
    sides: tuple[Literal["supports", "against"], ...] = ("supports", "against")
    marks = [Mark(claim_id=claim_id, reading=side, option=option) for side in sides for option in options]
    return [*marks, Mark(claim_id=claim_id, reading="neutral")]


def _set_mark(account: Account, me: Me, mark: Mark, reason: str) -> None:
    if session.give(account.state.debate, me, partial(SetMark, mark=mark, reason=reason)):
        claim = claim_name(account, mark.claim_id)
        st.toast(_("Marked {claim}: {words}", claim=claim, words=safe_line(reading_words(mark))))
        st.rerun()
    session.show_problem()


# --- groups of people with the same reading


def _draw_groups(account: Account) -> None:
    """Draw what all groups of people accept and what divides them; nothing if few people have marked."""
    found = account.opinion_groups
    if found is None:
        return
    st.subheader(_("What everybody accepts"), anchor=False)
    st.markdown(groups_words(found))
    if not found.sizes:
        return
    for title, nothing, statements in titled_statements(found):
        if statements:
            st.markdown(f"**{title}**")
            _draw_statements(account, group_names(found), statements, title)
        else:
            st.markdown(nothing)
    st.caption(how_found(found))


def _draw_statements(account: Account, groups: Sequence[str], statements: Sequence[GroupStatement], title: str) -> None:
    numbers = account.state.claim_numbers()
    claims = account.state.claims
    head = (_("Read as"), *groups)
    rows = [
        {
            _("No."): numbers[row.claim_id],
            _("Passage"): claims[row.claim_id].quote or claims[row.claim_id].text,
            **dict(zip(head, statement_cells(row), strict=True)),
        }
        for row in statements
    ]
    widths = {
        _("No."): st.column_config.NumberColumn(width=40),
        _("Passage"): st.column_config.TextColumn(width="medium"),
    }
    draw_table(rows, column_config=widths, key=f"groups-{statements[0].found}", alt=title)

"""The passages of the documents for people with a vote: each marks the option a passage speaks for, first together
those that their author sorted, then one at a time.

Marks are sealed until the facilitator shows them to everyone. Knows no rules: the engine refuses.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from debate_core.engine.engine import requests
from debate_core.engine.passage_marks import open_passages, readings
from debate_core.engine.private_sources import opened_sources
from debate_core.engine.seat_view import shuffled
from debate_core.engine.stage import open_poll, waits_as_agreed
from debate_core.engine.suggested_marks import SuggestedMark, SuggestedMarks
from debate_core.language import _, _n
from debate_core.record.acts import PassageMarked
from debate_core.record.state import State
from debate_core.report.facts.people_marks import by_option
from debate_core.report.facts.vote_bars import letters
from debate_core.report.phrases.marks import marked_words
from debate_core.ui.kit import accounts, session
from debate_core.ui.kit.components import parts
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.session import Me
from debate_core.ui.room.live.component import polled
from debate_core.ui.turn import passage


def draw_marking(state: State, me: Me) -> None:
    """Draw my next unmarked passage while marks are asked, and the marks of the room once they are shown."""
    passages = open_passages(state)
    may_mark = me.has_vote and open_poll(state) is None and session.may(state, me, PassageMarked)
    # The chair marks in the form of the turn.
    has_form = any(one.gives == "review" and one.seat in me.answers_for for one in requests(state))
    if passages and may_mark and (not has_form or waits_as_agreed(state)):
        with st.container(border=True, key="passages"):
            _mark_next(state, me, tuple(shuffled(passages, f"{state.spec.seed}:marks:{me.actor}")))
            session.show_problem()
    if session.may_see_result(state, me):
        _draw_marks(state)


def _mark_next(state: State, me: Me, passages: tuple[str, ...]) -> None:
    mine = {claim_id: given[me.actor] for claim_id, given in readings(state).items() if me.actor in given}
    at = _place(state, me, passages, mine)
    draft = FormDraft(f"{state.debate}/{me.actor}/marks", state.debate, me)
    if suggestion := passage.find_suggestion(state, draft, open_passages(state), mine):
        n_marked = len(mine.keys() & {*passages})
        st.markdown(_("**Mark the passages** · {marked} of {n} marked", marked=n_marked, n=len(passages)))
        st.progress(n_marked / len(passages))
        passage.draw_suggestion(state, suggestion, draft, partial(_mark_together, state, me, suggestion))
    elif at == len(passages):
        n_marked = sum(mark.reading != "skipped" for claim_id, mark in mine.items() if claim_id in passages)
        _draw_done(state, me, n_marked, len(passages))
    else:
        _draw_passage(state, me, passages, at, mine.get(passages[at]))


def _draw_passage(state: State, me: Me, passages: tuple[str, ...], at: int, mine: PassageMarked | None) -> None:
    """Draw the passage at this place with its choices; `mine` is my present mark of it."""
    st.markdown(_("**Mark the passages** · {at} of {passages}", at=at + 1, passages=len(passages)))
    st.progress(at / len(passages))
    claim = state.claims[passages[at]]
    passage.draw_passage(opened_sources(state), claim)

    def give(words: str) -> None:
        reading, option = passage.choices(state.spec.options)[words]
        if session.act(state, me, PassageMarked(claim_id=claim.id, reading=reading, option=option)):
            # Who looks again goes on to the next passage, marked or not.
            is_back = st.session_state.pop(_place_key(state, me), None) is not None
            if is_back and at + 1 < len(passages):
                _go_to(state, me, at + 1)

    passage.draw_choices(
        state,
        claim,
        chosen=_words_of(mine),
        key=f"passage {claim.id}",
        give=give,
        back=partial(_go_to, state, me, at - 1) if at else None,
    )
    st.caption(_("A mark is not a vote. All marks stay sealed until they are shown together."))


def _mark_together(state: State, me: Me, suggestion: SuggestedMarks, taken: Sequence[SuggestedMark]) -> bool:
    """Mark these passages of a suggestion, without those that another window or an earlier press has marked."""
    marked = readings(session.host().state(state.debate))
    for mark in taken:
        if me.actor in marked.get(mark.claim.id, {}):
            continue
        act = PassageMarked(
            claim_id=mark.claim.id, reading=suggestion.reading, option=suggestion.option, together=mark.words
        )
        if not session.act(state, me, act):
            return False
    return True


def _words_of(mark: PassageMarked | None) -> str:
    """The key of a mark in `passage.choices`, such as `supports outbox`; empty without a mark."""
    if mark is None:
        return ""
    return f"{mark.reading} {mark.option or ''}".rstrip()


def _place(state: State, me: Me, passages: tuple[str, ...], mine: Mapping[str, PassageMarked]) -> int:
    """The place to which this browser went back, else the first passage without a mark."""
    kept: object = st.session_state.get(_place_key(state, me))
    if isinstance(kept, int) and kept < len(passages):
        return kept
    return next((place for place, claim_id in enumerate(passages) if claim_id not in mine), len(passages))


def _place_key(state: State, me: Me) -> str:
    return f"marks:{state.debate}:{me.actor}:at"


def _go_to(state: State, me: Me, place: int) -> None:
    st.session_state[_place_key(state, me)] = place


def _draw_done(state: State, me: Me, n_marked: int, n_passages: int) -> None:
    if n_marked:
        st.markdown(
            _n(
                n_passages,
                "**You have marked {n_marked} of {n} passage.**",
                "**You have marked {n_marked} of {n} passages.**",
                n_marked=n_marked,
            )
        )
    else:
        st.warning(
            _n(
                n_passages,
                "You have skipped the passage. Mark it if it speaks for an option.",
                "You have skipped all {n} passages. Mark those that speak for an option.",
            )
        )
    polled(state, ring=True)
    st.caption(_("Marks stay sealed until they are shown together."))
    again = (state, me, 0)
    st.button(_("Look at them again"), key="passage-again", icon=":material/undo:", on_click=_go_to, args=again)


def _draw_marks(state: State) -> None:
    """Draw the marks of all people, of all passages together; nothing before they are shown."""
    rows = accounts.mine(state).marks
    if not any(row.reading != "skipped" for row in rows):
        return
    letter = letters(state.spec.options)
    drawn = [
        parts.MarksRow(letter=letter[option], option=option, supports=supports, against=against)
        for option, (supports, against) in by_option(state, rows).items()
    ]
    neutral = sum(row.people for row in rows if row.reading == "neutral")
    words = _("{marks} {neutral} neutral. Marks are not votes.", marks=marked_words(rows), neutral=neutral)
    parts.draw_marks(drawn, under=words, key="marks")

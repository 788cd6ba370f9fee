"""The passages of the documents, one at a time, for whoever has a vote: what each speaks for, in one press or key.

Sealed until whoever leads shows the marks; then they are drawn for everybody. Knows no rules: the engine refuses.
"""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from debate_core.engine.engine import requests
from debate_core.engine.passage_marks import open_passages, readings
from debate_core.engine.seat_view import shuffled
from debate_core.engine.stage import open_poll, waits_as_agreed
from debate_core.language import _, _n
from debate_core.record.acts import PassageMarked
from debate_core.record.state import State
from debate_core.report.facts.people_marks import by_option, marking_progress
from debate_core.report.facts.vote_bars import letters
from debate_core.report.words.marks import marked_words
from debate_core.ui.kit import accounts, session
from debate_core.ui.kit.face import parts
from debate_core.ui.kit.session import Me
from debate_core.ui.room.live.component import polled
from debate_core.ui.turn import passage


def show(state: State, me: Me) -> None:
    """The passage that I have not looked at yet, while marks are asked; what the room made of them, once shown."""
    passages = open_passages(state)
    may_mark = me.has_vote and open_poll(state) is None and session.may(state, me, PassageMarked)
    # The chair marks in the form of the turn.
    is_chair_now = any(one.gives == "review" and one.seat in me.answers_for for one in requests(state))
    if passages and may_mark and (not is_chair_now or waits_as_agreed(state)):
        with st.container(border=True, key="passages"):
            _mark_one(state, me, tuple(shuffled(passages, f"{state.spec.seed}:marks:{me.actor}")))
            session.show_problem()
    if session.may_see_result(state, me):
        of_the_room(state)


def _mark_one(state: State, me: Me, passages: tuple[str, ...]) -> None:
    mine = {claim_id: given[me.actor] for claim_id, given in readings(state).items() if me.actor in given}
    at = _place(state, me, passages, mine)
    n_marked = sum(mine[i].reading != "skipped" for i in passages if i in mine)
    if at == len(passages):
        _done(state, me, n_marked, len(passages))
        return
    st.markdown(_("**Mark the passages** · {at} of {passages}", at=at + 1, passages=len(passages)))
    st.progress(at / len(passages))
    claim = state.claims[passages[at]]
    passage.draw_passage(state.spec.sources, claim)
    given = mine.get(claim.id)
    passage.draw_choices(
        state,
        claim,
        chosen=f"{given.reading} {given.option or ''}".rstrip() if given else "",
        key=f"passage {claim.id}",
        give=partial(_give, state, me, claim.id),
        back=partial(_go, state, me, at - 1) if at else None,
    )
    st.caption(_("A mark is no vote. All marks stay sealed until they are shown together."))


def _place(state: State, me: Me, passages: tuple[str, ...], mine: Mapping[str, PassageMarked]) -> int:
    """Where this browser went back to; else the first passage that I have not looked at."""
    kept: object = st.session_state.get(_at(state, me))
    if isinstance(kept, int) and kept < len(passages):
        return kept
    return next((place for place, claim_id in enumerate(passages) if claim_id not in mine), len(passages))


def _at(state: State, me: Me) -> str:
    return f"marks:{state.debate}:{me.actor}:at"


def _give(state: State, me: Me, claim_id: str, words: str) -> None:
    reading, option = passage.choices(state.spec.options)[words]
    if session.act(state, me, PassageMarked(claim_id=claim_id, reading=reading, option=option)):
        st.session_state.pop(_at(state, me), None)


def _go(state: State, me: Me, place: int) -> None:
    st.session_state[_at(state, me)] = place


def _done(state: State, me: Me, n_marked: int, n_passages: int) -> None:
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
    st.button(_("Look at them again"), key="passage-again", icon=":material/undo:", on_click=_go, args=(state, me, 0))


def of_the_room(state: State) -> None:
    """What the room made of the passages, over all of them; nothing before it is shown."""
    rows = accounts.mine(state).marks
    counted = by_option(state, rows)
    if not any(row.reading != "skipped" for row in rows):
        return
    letter = letters(state.spec.options)
    drawn = [
        parts.MarksRow(letter=letter[option], option=option, supports=supports, against=against)
        for option, (supports, against) in counted.items()
    ]
    neutral = sum(row.people for row in rows if row.reading == "neutral")
    words = _("{marks} {neutral} neutral. Marks are no votes.", marks=marked_words(rows), neutral=neutral)
    parts.draw_marks(drawn, under=words, key="marks")


def progress(state: State) -> None:
    """For whoever leads: how far the room is; follows by itself."""
    found = marking_progress(state)
    if found is None or open_poll(state) is not None:
        return
    passages = _("1 passage") if found.passages == 1 else _("{passages} passages", passages=found.passages)
    st.caption(_("The room marks {passages} of the documents, each person on their own screen.", passages=passages))
    polled(state, key="lead")

"""The passages of the documents, one at a time, for whoever has a vote: what each speaks for, in one press or key.

Sealed until whoever leads shows the marks; then they are drawn for everybody. Knows no rules: the engine refuses.
"""

from collections.abc import Mapping

import streamlit as st

from debate_core.engine.passage_marks import open_passages, readings
from debate_core.engine.seat_view import shuffled
from debate_core.engine.stage import open_poll
from debate_core.language import _
from debate_core.record.acts import PassageMarked
from debate_core.record.state import State
from debate_core.report.facts.people_marks import MarkReading, by_option, marking_progress
from debate_core.report.facts.vote_bars import letters
from debate_core.report.words.marks import marked_words
from debate_core.spec.contents import Claim
from debate_core.ui.kit import accounts, session, single_keys
from debate_core.ui.kit.face import parts
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_label, safe_line, safe_text
from debate_core.ui.room.live.component import polled
from debate_core.ui.turn.marking import place_in_sources

# A row of 56 px is hit by a thumb; what was chosen before is the filled one.
_THUMB = """<style>
.st-key-passages { gap: 0.5rem; }
.st-key-passages [data-testid="stButton"] button { min-height: 56px; border-radius: 12px; }
.st-key-passages [data-testid="stButton"] button p { font-size: 1.05rem; font-weight: 600; }
.st-key-passages [data-testid="stMarkdownContainer"] blockquote { margin: 0; opacity: 1; }
</style>"""


def show(state: State, me: Me) -> None:
    """The passage that I have not looked at yet, while marks are asked; what the room made of them, once shown."""
    passages = open_passages(state)
    if me.has_vote and passages and open_poll(state) is None and session.may(state, me, PassageMarked):
        with st.container(border=True, key="passages"):
            st.html(_THUMB)
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
    _passage(state, claim)
    given = mine.get(claim.id)
    chosen = (given.reading, given.option) if given else None
    number = 0
    for option, letter in letters(state.spec.options).items():
        label = _("For {letter}: {option}", letter=letter, option=option)
        _choice(state, me, label, PassageMarked(claim_id=claim.id, reading="supports", option=option), number, chosen)
        number += 1
    with st.container(horizontal=True, gap="small"):
        others: tuple[tuple[str, MarkReading], ...] = ((_("Neutral"), "neutral"), (_("Skip"), "skipped"))
        for place, (label, reading) in enumerate(others, start=number):
            _choice(state, me, label, PassageMarked(claim_id=claim.id, reading=reading), place, chosen)
        if at:
            st.button(_("Back"), key="passage-back", type="tertiary", on_click=_go, args=(state, me, at - 1))
    st.caption(_("A mark is no vote. All marks stay sealed until they are shown together."))


def _place(state: State, me: Me, passages: tuple[str, ...], mine: Mapping[str, PassageMarked]) -> int:
    """Where this browser went back to; else the first passage that I have not looked at."""
    kept: object = st.session_state.get(_at(state, me))
    if isinstance(kept, int) and kept < len(passages):
        return kept
    return next((place for place, claim_id in enumerate(passages) if claim_id not in mine), len(passages))


def _at(state: State, me: Me) -> str:
    return f"marks:{state.debate}:{me.actor}:at"


def _passage(state: State, claim: Claim) -> None:
    st.caption(safe_line(place_in_sources(state.spec.sources, claim), max_chars=120))
    st.markdown(safe_text(claim.quote or claim.text))


def _choice(
    state: State, me: Me, label: str, mark: PassageMarked, number: int, chosen: tuple[MarkReading, str | None] | None
) -> None:
    is_chosen = chosen == (mark.reading, mark.option)
    # The key says what is marked: a press that crosses the next passage never falls on that one.
    st.button(
        safe_label(label, max_chars=90),
        key=f"passage {mark.claim_id} {mark.reading} {mark.option or ''}".rstrip(),
        type="primary" if is_chosen else "secondary",
        shortcut=single_keys.digit_key(state, me, number),
        width="stretch",
        on_click=_give,
        args=(state, me, mark),
    )


def _give(state: State, me: Me, mark: PassageMarked) -> None:
    if session.act(state, me, mark):
        st.session_state.pop(_at(state, me), None)


def _go(state: State, me: Me, place: int) -> None:
    st.session_state[_at(state, me)] = place


def _done(state: State, me: Me, n_marked: int, n_passages: int) -> None:
    if n_marked:
        st.markdown(
            _("**You have marked {n_marked} of {n_passages} passages.**", n_marked=n_marked, n_passages=n_passages)
        )
    else:
        st.warning(
            _("You have skipped all {n_passages} passages. Mark those that speak for an option.", n_passages=n_passages)
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

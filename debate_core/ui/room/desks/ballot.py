"""The ballot of whoever has a vote while a poll is open, and for everybody how far the polls are.

Before the reveal only how many are in is shown, to the facilitator too. Options stand in an order drawn for each
voter. Knows no rules: the engine counts and refuses.
"""

import streamlit as st

from debate_core.engine.count.ballots import ballot_words
from debate_core.engine.judge_view import may_see_result, option_order
from debate_core.engine.stage import open_poll, receipt
from debate_core.errors import BadReply
from debate_core.record.acts import BallotCast
from debate_core.record.people import Done, PollState
from debate_core.record.state import State
from debate_core.report.facts.polls import poll_progress, revealed_results
from debate_core.report.words.polls import deciding_words, progress_words, result_words, vote_rule_words
from debate_core.spec.people import Person, Room, poll_name, poll_words
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import ABSTAIN, Given
from debate_core.ui.kit import session
from debate_core.ui.kit.drafts import FormDraft
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.text import safe_line
from debate_core.ui.room.live.component import polled
from debate_core.ui.turn.ballot import ballot_fields, ballot_of

MAX_REASON_CHARS = 240
_SURE = ("not said", *(f"{percent} %" for percent in range(0, 101, 10)))
# A finger is wider than a pointer: 44 px is the least that is hit without looking twice.
_THUMB = """<style>
.st-key-ballot [data-testid="stRadio"] [role="radiogroup"] { flex-direction: column; align-items: stretch; }
.st-key-ballot [data-testid="stRadio"] [role="radiogroup"] > label { min-height: 44px; align-items: center; }
.st-key-ballot [data-testid="stCheckbox"] label { min-height: 44px; align-items: center; }
.st-key-ballot button { min-height: 44px; }
</style>"""


def show(state: State, me: Me) -> None:
    """My ballot while a poll is open; else where the polls stand."""
    if not state.spec.has_people:
        return
    room = state.spec.terms
    poll = open_poll(state)
    if poll is None:
        _waiting(state, room, me)
    elif me.person is not None and me.person.electorate is not None:
        with st.container(border=True, key="ballot"):
            st.html(_THUMB)
            _ballot(state, room, me, me.person, poll)
    else:
        _in(state, poll)
    _revealed(state, me)


def _in(state: State, poll: PollState) -> None:
    """All that anybody may know of an open poll."""
    words = poll_words(poll.id)
    st.markdown(f"**{words[0].upper()}{words[1:]} is open**")
    polled(state)
    st.caption("Sealed: who votes how is shown to nobody before the reveal.")


def _waiting(state: State, room: Room, me: Me) -> None:
    for poll in state.room.polls.values():
        if not poll.revealed:
            words = f"{poll_words(poll.id)}; {progress_words(poll_progress(state, poll.id))}"
            late = " until the final vote is closed" if _kept_to_the_end(state, room, poll) else ""
            st.caption(f"Closed: {words}. Its ballots stay sealed{late}.")
    if me.person is not None and me.person.electorate is not None and _more_to_come(state, room):
        st.caption("No vote is open now. Your ballot appears here by itself when one is.")


def _kept_to_the_end(state: State, room: Room, poll: PollState) -> bool:
    if poll.id != "pre" or room.pre_vote != "shown_at_end" or room.final_vote != "asked":
        return False
    final = state.room.polls.get("final")
    return final is None or final.closed is None


def _more_to_come(state: State, room: Room) -> bool:
    return state.outcome is None or (room.final_vote == "asked" and "final" not in state.room.polls)


def _revealed(state: State, me: Me) -> None:
    """The counts of the poll that was revealed last; for a judge, once their own word is given."""
    if me.person is not None and not may_see_result(state, me.person.id):
        return
    results = [*revealed_results(state)]
    if not results:
        return
    last = results[-1][0]
    for poll, result in results:
        if poll.id == last.id:
            name = f"{result.electorate.capitalize()}, {poll_name(poll.id)}"
            st.markdown(f"**{name}**: {safe_line(result_words(state, poll, result))}")
    if last.id == "final":
        st.caption(safe_line(deciding_words(state)))


# --- the ballot


def _ballot(state: State, room: Room, me: Me, person: Person, poll: PollState) -> None:
    st.markdown(f"**Your ballot: {poll_name(poll.id)}**")
    polled(state)
    draft = FormDraft(f"{state.debate}/{person.id}/poll-{poll.id}")
    mine = poll.ballots.get(person.id)
    if mine is not None:
        _voted(room, mine)
        with st.expander("Change my ballot", icon=":material/edit:", key=draft.place("again")):
            _fields(state, room, me, person, poll, draft)
    else:
        _fields(state, room, me, person, poll, draft)
    session.show_problem()


def _voted(room: Room, mine: Done[BallotCast]) -> None:
    st.success("I voted ✓ (change until closed)")
    fact = mine.fact
    words = ballot_words(ballot_kind(room.vote), fact.given) if fact.given else fact.choice
    st.markdown(f"You said: **{safe_line(words or '')}**")
    st.markdown(f"Receipt: **{receipt(mine.hash)}**")
    st.caption(
        "Note the code: after the reveal the list of ballots shows yours under it, and not under your name. "
        "A changed ballot has a new code. The whole record of the debate keeps who cast which ballot."
    )


def _fields(state: State, room: Room, me: Me, person: Person, poll: PollState, draft: FormDraft) -> None:
    st.caption(f"{_what_happens(room, person)} The options stand in an order drawn for you.")
    options = option_order(state, person.id)
    ballot_fields(draft, room.vote, options, state.spec.drivers)
    st.select_slider("How sure are you?", _SURE, **draft.step_of("confidence", _SURE))
    st.text_input(
        "Why, in one line (may stay empty)",
        max_chars=MAX_REASON_CHARS,
        **draft.value("why"),
    )
    st.button(
        "Cast my ballot",
        key=f"{draft.name}:cast",
        type="primary",
        icon=":material/how_to_vote:",
        width="stretch",
        on_click=_cast,
        args=(state, me, poll, draft, options),
    )


def _what_happens(room: Room, person: Person) -> str:
    weight = f" It weighs {person.weight}." if person.weight != 1 else ""
    counts = "decides" if room.decides == person.electorate else "is advice"
    rule = f"{vote_rule_words(room.vote)} The vote of the {person.electorate} {counts}.{weight}"
    return f"Nobody can read it before the reveal. {rule}"


def _cast(state: State, me: Me, poll: PollState, draft: FormDraft, options: tuple[str, ...]) -> None:
    try:
        fields = ballot_of(draft, state.spec.terms.vote, options, state.spec.drivers)
    except BadReply as error:
        session.set_problem(error)
        return
    choice = fields.get("vote")
    percent = draft.text("confidence").removesuffix(" %")
    ballot = BallotCast(
        poll=poll.id,
        choice=choice,
        given=tuple(Given(**part) for part in fields.get("ballot", ())),
        confidence=int(percent) if percent.isdecimal() and choice != ABSTAIN else None,
        reason=draft.text("why"),
    )
    if session.act(state, me, ballot):
        # On a phone the button stands far below the words that say so.
        session.tell("Your ballot is in")
        draft.drop()

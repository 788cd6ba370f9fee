"""What stands on the projector in each stage of a debate: large, without controls, the same for every eye.

Shows what a stranger may see, whoever has opened it, and of polls only how many are in.
"""

from datetime import UTC, datetime
from fractions import Fraction
from typing import assert_never

import streamlit as st

from debate_core.engine import judge_view, stage
from debate_core.engine.engine import requests
from debate_core.record.acts import BeliefReported
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts import judgements
from debate_core.report.facts.account import account
from debate_core.report.facts.counts import number
from debate_core.report.facts.polls import revealed_results
from debate_core.report.words.agreement import contract
from debate_core.report.words.contradictions import contradiction_sentence
from debate_core.report.words.decision import decider_sentence
from debate_core.report.words.outcome import outcome_sentence
from debate_core.spec.people import PollResult, poll_name
from debate_core.spec.values import in_words
from debate_core.ui.kit import session
from debate_core.ui.kit.badges import origin_badge
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.room import invitations, join
from debate_core.ui.room.desks import links, lobby
from debate_core.ui.room.live.component import projected
from debate_core.ui.room.live.visibility import names_for, seat_name
from debate_core.ui.setup.summary import contract_card

TITLE_CHARS = 160
LARGE = (
    ".st-key-projector p{font-size:clamp(1.1rem,1.7vw,2rem);line-height:1.4;max-width:70ch}"
    ".st-key-projector h1{font-size:clamp(1.8rem,3.2vw,4rem)}"
    ".st-key-projector h2{font-size:clamp(1.6rem,2.8vw,3.5rem)}"
    ".st-key-projector .st-key-code h1{font-size:clamp(3rem,6vw,8rem);letter-spacing:.12em}"
    "[data-testid=stHeader]{display:none}[data-testid=stMainBlockContainer]{padding-top:1.5rem}"
)
"""Read from the last row; the menu is for whoever sits at a desk."""


def show(state: State) -> None:
    """The stage at hand, under the question."""
    with st.container(key="projector"):
        st.html(f"<style>{LARGE}</style>")
        st.title(safe_line(state.spec.question, max_chars=TITLE_CHARS), anchor=False)
        if session.host().is_origin_unknown(state.debate):
            origin_badge()
        now = stage.stage(state)
        match now:
            case "lobby":
                _lobby(state)
            case "prevote":
                _before(state)
            case "round" | "closing":
                _round(state)
            case "finalvote":
                _poll(state, state.room.polls["final"], "Final vote")
            case "over" | "signed":
                _over(state)
            case _:
                assert_never(now)


def _lobby(state: State) -> None:
    left, right = st.columns([1, 1], gap="large", vertical_alignment="center")
    with left:
        _way_in(state)
    with right:
        here = invitations.come(session.host().door, state)
        st.markdown(f"**{lobby.here_words(len(here))}**")
        st.markdown(lobby.count_words(state, here))
        contract_card(contract(state.spec, stage.present(state), edition=state.edition)[1:])


def _way_in(state: State) -> None:
    """Code and picture for all: what lets in observers and voters is no secret in the room."""
    invite = invitations.open_invite(session.host().door, state)
    if invite is None:
        return
    address = links.address()
    st.image(join.qr_svg(join.join_link(address, session.host().door.token(invite))), width=360)
    with st.container(key="code"):
        st.markdown(f"# {invite.shown_code()}")
    st.markdown(safe_line(join.join_link(address)))


def _before(state: State) -> None:
    left, right = st.columns([1, 1], gap="large")
    with left:
        _way_in(state)
    with right:
        _poll(state, state.room.polls["pre"], "Vote before the start")


def _poll(state: State, poll: PollState, title: str) -> None:
    """How many are in, never what."""
    st.header(title, anchor=False)
    for electorate in stage.ELECTORATES:
        voters = stage.voters(state, electorate)
        if not voters:
            continue
        cast = sum(v.id in poll.ballots for v in voters)
        st.markdown(f"## {cast} of {len(voters)}")
        st.markdown(f"ballots of the {electorate} are in")
        st.progress(cast / len(voters))


def _round(state: State) -> None:
    """Where the debate is, the clock, who speaks, and the transcript in large type."""
    phase = in_words(state.open.slot.phase.name) if state.open else "between phases"
    names = names_for(state, None)
    asked = ", ".join(safe_line(seat_name(r.seat, names)) for r in requests(state)) or "nobody"
    left, right = st.columns([3, 1], vertical_alignment="center")
    with left:
        st.markdown(f"**Round {max(state.current_round(), 1)} of {state.spec.max_rounds} · {safe_line(phase)}**")
        st.markdown(safe_line(_paused(state)) if state.paused is not None else f"Now: {asked}")
    with right:
        _clock(state)
    # The transcript keeps its place under whatever comes and goes: one that moves begins anew.
    with st.container():
        poll = stage.open_poll(state)
        if poll is not None:
            _poll(state, poll, poll.id.replace("-", " ").capitalize())
        _judges(state)
        _revealed(state)
    projected(state)


def _revealed(state: State) -> None:
    """What was last revealed to the room: a vote of people, and what the judges think."""
    results = [*revealed_results(state)]
    for poll, result in results:
        if poll is results[-1][0]:
            _result(f"{poll_name(poll.id).capitalize()}, {result.electorate}", result)
    if judgements.revealed_reports(state):
        st.markdown(safe_text(judgements.aggregate_sentence(state)))


def _paused(state: State) -> str:
    words = state.paused or ""
    return f"{words[:1].upper()}{words[1:]}." if stage.waits_as_agreed(state) else f"Paused: {words}"


def _clock(state: State) -> None:
    ends = stage.deadline(state)
    if ends is None or state.paused is not None:
        return
    left_s = int((ends - datetime.now(UTC)).total_seconds())
    minutes, seconds = divmod(abs(left_s), 60)
    if left_s < 0:
        st.markdown(f"# :red[+{minutes}:{seconds:02}]")
        st.caption("over time")
    else:
        st.markdown(f"# {minutes}:{seconds:02}")
        st.caption("left in this phase")


def _judges(state: State) -> None:
    judges = [p for p in stage.present(state) if p.role == "judge"]
    number = judge_view.complete_rounds(state)
    if judges and 0 < number > stage.revealed_round(state):
        reported = {report.by for report in state.room.of(BeliefReported) if report.fact.round == number}
        st.caption(f"Judges: {sum(j.id in reported for j in judges)} of {len(judges)} have given round {number}")


def _over(state: State) -> None:
    """The decision and its arithmetic; the votes of people as far as they are revealed."""
    final, told = stage.final_decision(state), account(state)
    if final.pending:
        st.header("The debate is over", anchor=False)
        st.markdown("The final vote decides.")
    else:
        st.header(f"Decision: {safe_line(final.option)}" if final.option else "Nothing was decided", anchor=False)
        st.markdown(decider_sentence(told))
    st.markdown(safe_text(outcome_sentence(told)))
    if words := contradiction_sentence(told, with_ids=False):
        st.markdown(f"**{safe_text(words)}**")
    _results(state)
    if judgements.revealed_reports(state):
        st.markdown(safe_text(judgements.aggregate_sentence(state)))
    if signed := stage.signature(state):
        st.markdown(f"**Signed: {in_words(signed.verdict)}**")
    projected(state)


def _results(state: State) -> None:
    for electorate in stage.ELECTORATES:
        for poll, words in (("pre", "Before"), ("final", "After")):
            result = stage.result_of(state, poll, electorate)
            if result is None:
                continue
            _result(f"{words}, {electorate}", result)


def _result(words: str, result: PollResult) -> None:
    points = " · ".join(f"{safe_line(p.option)} {number(Fraction(p.points))}" for p in result.points)
    st.markdown(f"**{words}:** {points} ({result.cast} of {result.eligible} cast)")

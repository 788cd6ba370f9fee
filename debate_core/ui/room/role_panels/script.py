"""The facilitator's script: at each step of a room what to say aloud and what to do; and the whole course in order.

Decides nothing: the next step is the button of the desk.
"""

from collections.abc import Iterator
from typing import Literal

import streamlit as st

from debate_core.engine import passage_marks, preparation, stage
from debate_core.language import Words, _, message, quoted
from debate_core.record.state import State
from debate_core.report.facts.agenda import is_last_round
from debate_core.spec.people import PollStage, stage_of
from debate_core.spec.protocol import Spec
from debate_core.ui.room.role_panels import links, lobby

ScriptStep = Literal[
    "lobby",
    "collect",
    "brief",
    "facts",
    "pre_vote",
    "begin",
    "round",
    "last_round",
    "compare",
    "quick_poll",
    "marks",
    "held",
    "paused",
    "trouble",
    "closing",
    "premortem",
    "vote_due",
    "final_vote",
    "sealed",
    "tied",
    "sign",
    "signed",
]
SAY: Words[ScriptStep] = Words(
    {
        "lobby": "Welcome. Scan the code on the wall and enter your name. The ground rules are on your screen.",
        "collect": "Which options are there? Propose all that come to mind; afterwards we agree on one list.",
        "brief": "Please read the question and the documents. Ask about anything that is unclear.",
        "facts": "Write down what you know and the others may not. Nobody reads it until all texts are shown.",
        "pre_vote": "Vote for what you think now. You can change your sealed vote until I close it.",
        "begin": "The votes are sealed. Now listen for what would change your mind.",
        "round": "The seats speak now. Please listen, and send your questions from your phone.",
        "last_round": "This is the last round. What has not been said yet has to be said now.",
        "compare": "Compare two options at a time on your phone, until there are no more pairs.",
        "quick_poll": "A quick poll: where do you stand now? It decides nothing.",
        "marks": "Read each passage on your phone and mark the option that it speaks for. A mark is not a vote.",
        "held": "Before the next round: what is still unanswered?",
        "paused": "We take a short break.",
        "trouble": "There is a technical problem. Please give me a moment.",
        "closing": "The rounds are over. The closing texts are being written.",
        "premortem": "A year later this decision was reversed. Why? Write it down, each for yourself.",
        "vote_due": "You have heard the arguments. Next comes the final vote.",
        "final_vote": "Please vote now. You can change your vote until I close it.",
        "sealed": "The vote is closed. Let us see the result.",
        "tied": "The vote decided nothing. What was agreed for this case applies now.",
        "sign": "Here is the result. Does anyone want to record a dissent before it is signed?",
        "signed": "The decision is signed. Thank you all.",
    }
)
DO: Words[ScriptStep] = Words(
    {
        "lobby": "Begin when everyone is here.",
        "collect": "Merge what means the same, clear duplicates, and set the list.",
        "brief": "Answer questions. Go on when most people have read it.",
        "facts": "Keep the room quiet. Show the texts when everyone is done.",
        "pre_vote": "Close the vote when all ballots are in.",
        "begin": "Begin the debate.",
        "round": "The round ends when every seat has spoken, even if the time is over. Remind a seat, or add a minute.",
        "last_round": "Watch the time: no round comes after this one.",
        "compare": "Wait until all comparisons are in.",
        "quick_poll": "Close the poll when all ballots are in.",
        "marks": "Show the marks when everyone has seen every passage.",
        "held": "Give judges time to report, take a question from the floor, and let the round begin.",
        "paused": "Say when you will go on.",
        "trouble": "Choose on this page how the debate goes on.",
        "closing": "Wait until they are in.",
        "premortem": "Keep the room quiet. Show the reasons when everyone is done.",
        "vote_due": "Open the final vote.",
        "final_vote": "Close the vote when all ballots are in.",
        "sealed": "Turn to the wall, then reveal the vote.",
        "tied": "Ask the approver to choose, with a reason.",
        "sign": "Ask the approver to sign.",
        "signed": "Download the decision record and send it to everyone.",
    }
)
_VOTES: dict[PollStage, ScriptStep] = {"pre": "pre_vote", "pulse": "quick_poll", "final": "final_vote"}
WHOLE = message("The whole script")


def draw_moment(state: State) -> None:
    """Draw the words and the task of this moment."""
    now = moment(state)
    with st.container(key="script", gap=None):
        if now == "lobby" and not links.address().is_for_phones:
            st.markdown(_("**First:** let phones join, unless everyone uses this computer."))
            return
        st.markdown(_("**Say:** “{words}”", words=SAY[now]))
        st.caption(DO[now])


def draw_whole(state: State) -> None:
    """Draw every step of the script in a drawer, the present one in bold."""
    now = moment(state)
    whole = st.expander(
        _(WHOLE), icon=":material/format_list_numbered:", key="whole-script", type="compact", on_change="rerun"
    )
    if whole.open:
        with whole:
            for number, step in enumerate(course(state), start=1):
                words = f"{quoted(SAY[step])} {DO[step]}"
                st.markdown(f"{number}. **{words}**" if step == now else f"{number}. {words}")


def moment(state: State) -> ScriptStep:
    """The step of the script at this state."""
    if state.limit_met is not None or stage.unreached(state):
        return "trouble"
    if poll := stage.open_poll(state):
        return _VOTES[stage_of(poll.id)]
    if step := preparation.running(state):
        return step.step
    if lobby.gathers(state):
        return "begin" if "pre" in state.room.polls else "lobby"
    if state.outcome is not None:
        return _after_the_end(state)
    return _in_rounds(state)


def _in_rounds(state: State) -> ScriptStep:
    is_held = stage.waits_as_agreed(state)
    if state.paused is not None and not is_held:
        return "paused"
    if passage_marks.open_passages(state):
        return "marks"
    if is_held:
        return "held"
    if stage.stage(state) == "closing":
        return "closing"
    if state.spec.protocol.paired:
        return "compare"
    return "last_round" if is_last_round(state) else "round"


def _after_the_end(state: State) -> ScriptStep:
    if stage.signature(state) is not None:
        return "signed"
    final = state.room.polls.get("final")
    if final is not None and not final.revealed:
        return "sealed"
    decision = stage.final_decision(state)
    if decision.pending or (final is None and state.spec.terms.final_vote != "none"):
        return "vote_due"
    return "sign" if decision.option is not None else "tied"


def course(state: State) -> Iterator[ScriptStep]:
    """Every planned step of this debate, in order."""
    terms = state.spec.terms
    yield "lobby"
    yield from (one.step for one in terms.preparation if one.step != "premortem")
    if terms.pre_vote != "none":
        yield "pre_vote"
    yield "begin"
    yield from _planned_rounds(state.spec)
    if any(slot.section == "after" for slot in state.slots):
        yield "closing"
    yield from (one.step for one in terms.preparation if one.step == "premortem")
    if terms.final_vote != "none":
        yield from ("vote_due", "final_vote", "sealed")
    yield from ("sign", "signed")


def _planned_rounds(spec: Spec) -> Iterator[ScriptStep]:
    if spec.protocol.paired:
        yield "compare"
        return
    yield "round"
    if spec.max_rounds > 1:
        if spec.terms.hold == "round":
            yield "held"
        yield "last_round"

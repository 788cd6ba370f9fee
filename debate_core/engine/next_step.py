"""What comes next in a room, as one thing that whoever leads can do: by stage and polls, nothing by the clock.

Pure; whether it is allowed is asked of the other rules.
"""

from dataclasses import dataclass

from debate_core.engine import act_faults, passage_marks, preparation
from debate_core.engine.stage import open_poll, poll_allowed, unreached, waits_as_agreed
from debate_core.record.acts import MarksRevealed, PollClosed, PollOpened, PollRevealed, PreparationBegun, RoomAct
from debate_core.record.commands import Act, Resume
from debate_core.record.state import State
from debate_core.sentence import Sentence
from debate_core.spec.people import poll_words

SHOW_MARKS = Sentence("Show the marks of the room")


@dataclass(frozen=True, slots=True)
class Step:
    """One step and its words; without a command there is nothing left but the decision."""

    words: str
    command: Act | Resume | None = None


def next_step(state: State, by: str) -> Step | None:
    """What this person would do next; None while the debate runs, and where a limit or an outage leaves a choice."""
    if step := _poll_step(state, by):
        return step
    if preparation.options_are_open(state):
        # What ends the collecting is a list that the facilitator writes.
        return None
    nobody_paused_it = state.paused is None or waits_as_agreed(state)
    if passage_marks.wait_to_be_shown(state) and nobody_paused_it:
        return Step(SHOW_MARKS, Act(by=by, act=MarksRevealed()))
    if state.outcome is not None:
        return Step(Sentence("Go to the decision"))
    return _step_of_pause(state, by)


def _step_of_pause(state: State, by: str) -> Step | None:
    if state.paused is None or state.limit_met is not None or unreached(state):
        return None
    if not waits_as_agreed(state):
        return Step(Sentence("Go on"), Resume(by=by))
    if not state.room.begun:
        return Step(Sentence("Begin the debate"), Resume(by=by))
    number = state.open.round if state.open else state.current_round()
    return Step(Sentence("Let round {number} begin", number=number), Resume(by=by))


def onward(state: State, step: Step) -> Sentence | None:
    """The words for doing this step and what then follows of itself, in one press; None if nothing does.

    A closed vote is shown, or the debate begins where the vote stays sealed to the end.
    """
    act = _act_of(step)
    if not isinstance(act, PollClosed):
        return None
    if act.poll == "pre" and state.spec.terms.pre_vote == "shown_at_end":
        return Sentence("Close the vote and begin")
    return Sentence("Close and reveal {poll}", poll=poll_words(act.poll))


def _act_of(step: Step) -> RoomAct | None:
    return step.command.act if isinstance(step.command, Act) else None


def follows(state: State, closed: str, by: str) -> Step | None:
    """What is still to be done of it, once this poll is closed: of one press nobody else's vote is shown or begun."""
    step = next_step(state, by)
    if step is None:
        return None
    act = _act_of(step)
    shows = isinstance(act, PollRevealed) and closed in (act.poll, "final")
    begins = isinstance(step.command, Resume) and closed == "pre" and not state.room.begun
    return step if shows or begins else None


def _poll_step(state: State, by: str) -> Step | None:
    """An open poll is closed first, what can be seen is revealed, and the vote that is due here is opened."""
    voting = open_poll(state)
    if voting is not None:
        return Step(Sentence("Close {poll}", poll=poll_words(voting.id)), Act(by=by, act=PollClosed(poll=voting.id)))
    for poll in reversed(list(state.room.polls)):
        reveal = PollRevealed(poll=poll)
        if act_faults.fault(state, reveal, by) is None:
            return Step(Sentence("Reveal {poll}", poll=poll_words(poll)), Act(by=by, act=reveal))
    following = preparation.coming(state)
    if following is not None:
        words = Sentence("Collect options") if following.step == "collect" else Sentence("Open the brief")
        return Step(words, Act(by=by, act=PreparationBegun(step=following.step)))
    due = "final" if state.outcome is not None else "pre"
    if due not in state.room.polls and poll_allowed(state, due) is None:
        return Step(Sentence("Open {poll}", poll=poll_words(due)), Act(by=by, act=PollOpened(poll=due)))
    return None


def pulse_due(state: State) -> str | None:
    """The pulse of the round that runs, or has just ended while the next one waits, if it was not asked yet."""
    waits = state.room.begun and waits_as_agreed(state)
    pulse = f"pulse-{state.current_round() - waits}"
    return None if pulse in state.room.polls or poll_allowed(state, pulse) else pulse

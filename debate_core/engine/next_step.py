"""The next step of a room that a facilitator can take: derived from stage and polls, never from the clock.

Pure. The other rules decide whether the step is allowed.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from debate_core.engine import passage_marks, preparation, validate_actions
from debate_core.engine.stage import open_poll, poll_allowed, unreached, waits_as_agreed
from debate_core.record.acts import (
    MarksRevealed,
    PollClosed,
    PollOpened,
    PollRevealed,
    PreparationBegun,
    RoomAct,
    TextsShown,
)
from debate_core.record.commands import Act, Resume
from debate_core.record.state import State
from debate_core.sentence import Sentence
from debate_core.spec.people import PreparationStep, SilentStep, poll_words

_OPEN: Mapping[PreparationStep, Sentence] = {
    "collect": Sentence("Collect options"),
    "brief": Sentence("Open the brief"),
    "facts": Sentence("Ask what only one of us knows"),
    "premortem": Sentence("Ask why it might be reversed"),
}
_SHOW: Mapping[SilentStep, Sentence] = {
    "facts": Sentence("Show what people know"),
    "premortem": Sentence("Show the reasons"),
}
SHOW_MARKS = Sentence("Show the marks of the room")


@dataclass(frozen=True, slots=True)
class Step:
    """One step and its label; without a command only the decision is left."""

    words: str
    command: Act | Resume | None = None

    @property
    def act(self) -> RoomAct | None:
        return self.command.act if isinstance(self.command, Act) else None


def next_step(state: State, by: str) -> Step | None:
    """The next step for this person; None while the debate runs, and where a limit or an outage leaves a choice."""
    if step := _poll_step(state, by):
        return step
    if preparation.options_are_open(state):
        # The facilitator ends the collecting by writing the list of options.
        return None
    nobody_paused_it = state.paused is None or waits_as_agreed(state)
    if passage_marks.wait_to_be_shown(state) and nobody_paused_it:
        return Step(SHOW_MARKS, Act(by=by, act=MarksRevealed()))
    if state.outcome is not None:
        return Step(Sentence("See the results"))
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
    """The label for this step together with the step that follows it; None if none follows.

    Example: a closed vote is revealed; or the debate begins, if the vote stays sealed to the end.
    """
    act = step.act
    if not isinstance(act, PollClosed):
        return None
    if act.poll == "pre" and state.spec.terms.pre_vote == "shown_at_end":
        return Sentence("Close the vote and begin")
    if act.poll == "final" and state.spec.terms.asks_crux:
        # Voters answer "if that were not so?" between the close and the reveal.
        return None
    return Sentence("Close and reveal {poll}", poll=poll_words(act.poll))


def alone(state: State, step: Step) -> Sentence:
    """The label for this step without the one that `onward` adds."""
    act = step.act
    begins = isinstance(act, PollClosed) and act.poll == "pre" and state.spec.terms.pre_vote == "shown_at_end"
    return Sentence("Close it, begin later") if begins else Sentence("Close it, reveal later")


def follows(state: State, closed: str, by: str) -> Step | None:
    """The step that follows once this poll is closed: reveal this poll, or begin the debate; no other poll."""
    step = next_step(state, by)
    if step is None:
        return None
    act = step.act
    shows = isinstance(act, PollRevealed) and closed in (act.poll, "final")
    begins = isinstance(step.command, Resume) and closed == "pre" and not state.room.begun
    return step if shows or begins else None


def _poll_step(state: State, by: str) -> Step | None:
    """Close an open poll first, then reveal polls, then open the next step or vote."""
    voting = open_poll(state)
    if voting is not None:
        return Step(Sentence("Close {poll}", poll=poll_words(voting.id)), Act(by=by, act=PollClosed(poll=voting.id)))
    if step := preparation.silent(state):
        return Step(_SHOW[step], Act(by=by, act=TextsShown(step=step)))
    for poll in reversed(list(state.room.polls)):
        reveal = PollRevealed(poll=poll)
        if validate_actions.fault(state, reveal, by) is None:
            return Step(Sentence("Reveal {poll}", poll=poll_words(poll)), Act(by=by, act=reveal))
    following = preparation.coming(state)
    if following is not None:
        return Step(_OPEN[following.step], Act(by=by, act=PreparationBegun(step=following.step)))
    due = "final" if state.outcome is not None else "pre"
    if due not in state.room.polls and poll_allowed(state, due) is None:
        return Step(Sentence("Open {poll}", poll=poll_words(due)), Act(by=by, act=PollOpened(poll=due)))
    return None


def pulse_due(state: State) -> str | None:
    """The pulse poll of the current round, or of the last one while the next one waits; None if it was asked."""
    waits = state.room.begun and waits_as_agreed(state)
    pulse = f"pulse-{state.current_round() - waits}"
    return None if pulse in state.room.polls or poll_allowed(state, pulse) else pulse

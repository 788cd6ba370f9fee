"""Baselines: single answers that a debate is compared with. When they may be asked, how many calls, and their count.

They are asked after the decision, so they influence nothing; no count of the debate reads them.
"""

from collections.abc import Sequence

from debate_core.engine import stage, voting
from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.count import Count
from debate_core.engine.option_names import only_option
from debate_core.engine.rights import HOST
from debate_core.record.commands import HoldBaseline
from debate_core.record.events import BaselineHeld, BaselineReply, BaselinesAsked
from debate_core.record.state import State
from debate_core.sentence import Sentence
from debate_core.spec.rules import Plurality
from debate_core.spec.values import Ballot, BaselineName

SUPERVISED_CALLS = 3
"""Answer, check and correction."""


def not_yet(state: State) -> Sentence | None:
    """The reason why no baseline may be asked now; None = it may."""
    outcome = state.outcome
    if outcome is None:
        return Sentence("a baseline is asked when the debate is over")
    if outcome.status not in ("decided", "undecided"):
        return Sentence("the debate was {status}: there is nothing to compare", status=outcome.status)
    if _waits_for_final_vote(state):
        return Sentence("a baseline is asked after the final vote is counted, so that it cannot influence a voter")
    if sealed := stage.sealed(state):
        return Sentence("a baseline is asked once nothing is sealed; still sealed: {sealed}", sealed=sealed[0])
    return None


def _waits_for_final_vote(state: State) -> bool:
    if not state.spec.has_people or state.spec.terms.final_vote != "asked":
        return False
    final = state.room.polls.get("final")
    return final is None or not final.revealed


def calls_of(state: State, name: BaselineName) -> int:
    """Number of calls: one, three if a supervisor checks, or as many as models gave turns. Failed attempts add none."""
    if name == "single_call":
        return 1
    if name == "supervised_answer":
        return SUPERVISED_CALLS
    models = {seat.id for seat in state.spec.seats if state.spec.line(seat)}
    by_models = [turn for turn in state.turns if turn.by == turn.seat and turn.seat in models]
    # A struck turn was given: striking it must not change the number of answers allowed.
    return max(1, sum(turn.status in ("ok", "struck") for turn in by_models))


def counted(state: State, command: HoldBaseline) -> BaselineHeld:
    """The replies with their count."""
    calls = calls_of(state, command.name)
    return _with_count(state, command.name, calls, command.replies, took_ms=command.took_ms, why=command.why)


def _with_count(
    state: State, name: BaselineName, calls: int, replies: Sequence[BaselineReply], *, took_ms: int, why: str
) -> BaselineHeld:
    voters = _voters(name, calls, replies)
    votes = {voter: vote for voter, vote in voters.items() if vote is not None}
    silent = [voter for voter, vote in voters.items() if vote is None]
    count = Count(
        "answers",
        Plurality(),
        "one",
        state.spec.options,
        tuple(BallotCounted(voter, vote) for voter, vote in votes.items()),
        silent=dict.fromkeys(silent, 1),
    )
    ballots = {voter: Ballot(seat=voter, status="cast", choice=vote) for voter, vote in votes.items()}
    return BaselineHeld(
        name=name,
        calls=calls,
        replies=tuple(replies),
        tally=voting.tally_of(ballots, list(voters)),
        answer=only_option(count.result().winners),
        took_ms=took_ms,
        why=why,
    )


def _voters(name: BaselineName, calls: int, replies: Sequence[BaselineReply]) -> dict[str, str | None]:
    """The vote of each answer; None without a usable one."""
    answers = [f"answer_{number}" for number in range(1, calls + 1)]
    if name == "supervised_answer":
        # Only an answer that was checked and corrected counts, so the last of the three calls has the one vote.
        is_whole = len(replies) == calls and all(reply.error is None for reply in replies)
        return {answers[-1]: replies[-1].vote if is_whole else None}
    votes = (reply.vote for reply in replies)
    return dict.fromkeys(answers) | dict(zip(answers, votes, strict=False))


def pending(state: State) -> tuple[BaselineName, ...]:
    """Baselines that were asked and have no answer yet; one may never arrive."""
    answered = {baseline.name for baseline in state.baselines}
    return tuple(name for name in state.baselines_asked if name not in answered)


def fault(state: State, body: BaselineHeld | BaselinesAsked, by: str) -> Sentence | None:
    """The reason why this is no valid baseline of this debate, or is miscounted; None = it is valid."""
    if why := not_yet(state):
        return why
    if by != HOST:
        return Sentence("a baseline is recorded by {host}, not by {by!r}", host=HOST, by=by)
    if isinstance(body, BaselinesAsked):
        for place, name in enumerate(body.names):
            if name in (*state.baselines_asked, *body.names[:place]):
                return Sentence("{name} was asked already", name=name)
        return None
    return _fault_in_held(state, body)


def _fault_in_held(state: State, body: BaselineHeld) -> Sentence | None:
    if any(before.name == body.name for before in state.baselines):
        return Sentence("{name} was asked already", name=body.name)
    calls = calls_of(state, body.name)
    if len(body.replies) > calls:
        return Sentence(
            "{name} asks for {calls} replies, not for {replies}",
            name=body.name,
            calls=calls,
            replies=len(body.replies),
        )
    for reply in body.replies:
        if why := _fault_in_reply(state, reply):
            return why
    expected = _with_count(state, body.name, calls, body.replies, took_ms=body.took_ms, why=body.why)
    if body == expected:
        return None
    return Sentence(
        "re-counted, {name} has {cast} votes of {calls} and says {answer}",
        name=body.name,
        cast=expected.tally.cast,
        calls=expected.calls,
        answer=expected.answer,
    )


def _fault_in_reply(state: State, reply: BaselineReply) -> Sentence | None:
    if all(line.id != reply.line for line in state.spec.models):
        return Sentence("a baseline asks the models of the debate, and {line!r} is none of them", line=reply.line)
    if reply.vote is None:
        return None
    if reply.vote not in state.spec.options:
        return Sentence("a reply names {vote!r}, which is none of the options", vote=reply.vote)
    if reply.error is not None:
        return Sentence("a reply that failed cannot name an option")
    return None

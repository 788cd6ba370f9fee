"""What people in the room did, each act as one phrase after the person's name. Called by reports and the record page.

Says that somebody voted or judged, never what: what is sealed must not be read in passing.
"""

from collections.abc import Mapping
from typing import assert_never

from debate_core.room import poll_words
from debate_core.room_acts import (
    Asked,
    BallotCast,
    BeliefReported,
    BeliefsRevealed,
    Compared,
    Dissented,
    Extended,
    Flagged,
    FlagResolved,
    Intervened,
    Judged,
    LastRound,
    Noted,
    OutcomeRecorded,
    PersonChanged,
    PersonJoined,
    PersonLeft,
    Poked,
    PollClosed,
    PollOpened,
    PollRevealed,
    RoomAct,
    SeatReturned,
    SeatTaken,
    Signed,
    Struck,
    SynthesisRevised,
    Upvoted,
)


def act_phrase(act: RoomAct, names: Mapping[str, str] | None = None) -> str:
    """`opened the pre-vote`; the reason, if there is one, is in `act_reason`. `names` of people by their id."""
    match act:
        case PersonJoined() | PersonChanged() | PersonLeft():
            return _people(act, names or {})
        case PollOpened() | PollClosed() | PollRevealed() | BallotCast():
            return _polls(act)
        case BeliefReported() | BeliefsRevealed() | Judged() | Compared():
            return _judges(act)
        case SeatTaken():
            return f"took over the seat {act.seat}"
        case SeatReturned():
            return f"gave back the seat {act.seat}"
        case Poked():
            return f"reminded {act.seat}"
        case Extended():
            return "added a round" if act.rounds else f"gave {act.seconds} more seconds"
        case LastRound():
            return "made the round the last one"
        case Intervened():
            return f"said to all seats ({act.kind}): {act.text}"
        case Struck() | Noted() | Asked() | Upvoted() | Flagged() | FlagResolved() | Dissented():
            return _remarks(act)
        case SynthesisRevised():
            return "wrote a version of the synthesis"
        case Signed():
            return f"signed: {act.verdict.replace('_', ' ')}{f', {act.option}' if act.option else ''}"
        case OutcomeRecorded():
            return f"recorded what became of it: {act.result}"
        case _:
            assert_never(act)


def _people(act: PersonJoined | PersonChanged | PersonLeft, names: Mapping[str, str]) -> str:
    match act:
        case PersonJoined():
            return f"joined as {act.person.name}, {act.person.role}"
        case PersonChanged():
            return f"set {act.person.name} to {act.person.role}"
        case PersonLeft():
            return f"let {names.get(act.person, act.person)} go"
        case _:
            assert_never(act)


def _polls(act: PollOpened | PollClosed | PollRevealed | BallotCast) -> str:
    done = {PollOpened: "opened", PollClosed: "closed", PollRevealed: "revealed", BallotCast: "voted in"}[type(act)]
    return f"{done} {poll_words(act.poll)}"


def _judges(act: BeliefReported | BeliefsRevealed | Judged | Compared) -> str:
    match act:
        case BeliefReported():
            return f"gave {'final ' if act.final else ''}probabilities after round {act.round}"
        case BeliefsRevealed():
            return f"revealed the judges' probabilities up to round {act.round}"
        case Judged():
            return "filled in the rubric"
        case Compared():
            return f"compared {act.a} with {act.b}"
        case _:
            assert_never(act)


def _remarks(act: Struck | Noted | Asked | Upvoted | Flagged | FlagResolved | Dissented) -> str:
    match act:
        case Struck():
            return f"struck the turn {act.turn}"
        case Noted():
            return f"corrected {act.claim_id}"
        case Asked():
            return f"asked: {act.text}" if act.kind == "question" else f"raised a concern: {act.text}"
        case Upvoted():
            return f"supported question {act.question}"
        case Flagged():
            return f"flagged a line of the synthesis: {act.line}"
        case FlagResolved():
            return f"settled flag {act.flag}"
        case Dissented():
            return f"put a {act.kind} on record: {act.text}"
        case _:
            assert_never(act)


def act_reason(act: RoomAct) -> str:
    """Why, in the person's own words; empty if the act has no reason, or if it is part of a sealed ballot."""
    return "" if isinstance(act, BallotCast | Compared) else str(getattr(act, "reason", ""))

"""What people in the room did, each act as one phrase after the person's name.

Says that somebody voted or judged, never what: what is sealed must not be read in passing.
"""

from collections.abc import Mapping
from typing import assert_never

from debate_core.record import acts
from debate_core.spec.people import poll_words
from debate_core.spec.values import in_words


def act_phrase(act: acts.RoomAct, names: Mapping[str, str] | None = None) -> str:
    """`opened the pre-vote`; the reason, if there is one, is in `act_reason`. `names` of people by their id."""
    if isinstance(act, acts.PeopleAct):
        return _people(act, names or {})
    if isinstance(act, acts.PreparingAct):
        return _preparing(act)
    if isinstance(act, acts.PollAct):
        return _polls(act)
    if isinstance(act, acts.JudgeAct):
        return _judges(act)
    if isinstance(act, acts.MarkAct):
        return "marked a passage" if isinstance(act, acts.PassageMarked) else "showed the marks of the room"
    if isinstance(act, acts.Remark):
        return _remarks(act)
    match act:
        case acts.SeatTaken():
            return f"took over the seat {in_words(act.seat)}"
        case acts.SeatReturned():
            return f"gave back the seat {in_words(act.seat)}"
        case acts.Poked():
            return f"reminded {in_words(act.seat)}"
        case acts.Extended():
            return "added a round" if act.rounds else f"gave {act.seconds} more seconds"
        case acts.LastRound():
            return "made the round the last one"
        case acts.SourceAdded():
            return f"added the document {act.source.id}: {act.source.title}"
        case acts.Intervened():
            return f"said to all seats ({act.kind}): {act.text}"
        case acts.SynthesisRevised():
            return "wrote a version of the synthesis"
        case acts.Signed():
            return f"signed: {in_words(act.verdict)}{f', {act.option}' if act.option else ''}"
        case acts.OutcomeRecorded():
            return f"recorded what became of it: {act.result}"
        case _:
            assert_never(act)


def _people(act: acts.PeopleAct, names: Mapping[str, str]) -> str:
    match act:
        case acts.PersonJoined():
            return f"joined as {act.person.name}, {act.person.role}"
        case acts.PersonChanged():
            return f"set {act.person.name} to {act.person.role}"
        case acts.PersonLeft():
            withdrawn = ", and withdrew their ballots in open polls" if act.withdrawn else ""
            return f"let {names.get(act.person, act.person)} go{withdrawn}"
        case acts.LinkChanged():
            return _link(act, names)
        case _:
            assert_never(act)


def _link(act: acts.LinkChanged, names: Mapping[str, str]) -> str:
    vote = f" with a vote in the {act.electorate}" if act.electorate else ""
    whose = names.get(act.person, f"a new {act.role}{vote}") if act.person else f"all ({act.role})"
    match act.what:
        case "made":
            return f"made a link for {whose}"
        case "replaced":
            return f"made a link for {whose} instead of the older one"
        case "taken_back":
            return f"took back the link for {whose}"
        case _:
            assert_never(act.what)


def _preparing(act: acts.PreparingAct) -> str:
    match act:
        case acts.PreparationBegun():
            return "opened the collecting of options" if act.step == "collect" else "opened the reading of the brief"
        case acts.Suggested():
            return f"proposed the {act.kind}: {act.text}"
        case acts.Prepared():
            return "had nothing more to propose" if act.step == "collect" else "had read the brief"
        case acts.OptionsAgreed():
            return f"set the options of the debate: {', '.join(act.options)}"
        case _:
            assert_never(act)


def _polls(act: acts.PollAct) -> str:
    done = {
        acts.PollOpened: "opened",
        acts.PollClosed: "closed",
        acts.PollRevealed: "revealed",
        acts.BallotCast: "voted in",
    }[type(act)]
    return f"{done} {poll_words(act.poll)}"


def _judges(act: acts.JudgeAct) -> str:
    match act:
        case acts.BeliefReported():
            return f"gave {'final ' if act.final else ''}probabilities after round {act.round}"
        case acts.BeliefsRevealed():
            return f"revealed the judges' probabilities up to round {act.round}"
        case acts.Judged():
            return "filled in the rubric"
        case acts.Compared():
            return f"compared {act.a} with {act.b}"
        case _:
            assert_never(act)


def _remarks(act: acts.Remark) -> str:
    match act:
        case acts.Struck():
            return f"struck the turn {act.turn}"
        case acts.Noted():
            return f"corrected {act.claim_id}"
        case acts.Asked():
            return f"asked: {act.text}" if act.kind == "question" else f"raised a concern: {act.text}"
        case acts.Upvoted():
            return f"supported question {act.question}"
        case acts.Flagged():
            return f"flagged a line of the synthesis: {act.line}"
        case acts.FlagResolved():
            return f"settled flag {act.flag}"
        case acts.Dissented():
            return f"put a {act.kind} on record: {act.text}"
        case _:
            assert_never(act)

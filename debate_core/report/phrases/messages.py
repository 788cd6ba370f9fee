"""The sentence of a message, for one person or for a channel that several people read.

A sentence contains no ballot, no vote count and no author of a turn. Readers without access to the decision do not get
it.
"""

from dataclasses import dataclass

from debate_core.engine.judge_view import may_see_result, still_judging
from debate_core.engine.stage import name_of, sealed
from debate_core.language import Words, _, message, quoted, said, spoken_list
from debate_core.record.acts import OutcomeRecorded
from debate_core.record.state import State
from debate_core.report.facts.decision import RESULTS, decision_of
from debate_core.report.facts.messages import Message, MessageKind, Topic
from debate_core.report.facts.terms import named
from debate_core.spec.people import poll_words
from debate_core.text import line

MAX_QUESTION_CHARS = 200
KINDS: Words[MessageKind] = Words(
    {
        "your_turn": "Your turn",
        "your_vote": "Your vote",
        "sign": "Approval due",
        "decided": "Decided",
        "challenged": "Challenged",
        "due": "Date reached",
    }
)
"""Names of the kinds, for subjects and lists."""
_TO_ONE: Words[Topic] = Words(
    {
        "turn": "It is your turn in the debate {question}.",
        "limit": "The debate {question} has reached a limit: raise it, or end the debate.",
        "outage": "Seats of the debate {question} could not be reached: decide how it continues.",
        "vote": "Your vote is open in the debate {question}: {poll}.",
        "signature": "The debate {question} is over: its decision waits for you as an approver.",
        "decision": "The debate {question} is over: its decision waits for you as an approver.",
        "changes": "The decision on {question} was accepted with changes: sign it again when they are made.",
        "objection": "An objection to the decision on {question} was recorded.",
        "otherwise": "The decision on {question} did not hold: {result}.",
        "assumption": "An assumption of the decision on {question} no longer holds.",
        "review": "The decision on {question} has reached its review date, {day}.",
        "deadline": "The debate {question} waits for you until {day}, {time} UTC.",
    }
)
_TO_ALL: Words[Topic] = Words(
    {
        "turn": "The debate {question} waits for a turn: {who}.",
        "vote": "The vote in the debate {question} is open: {poll}.",
        "signature": "The debate {question} is over: its decision waits for an approver.",
        "decision": "The debate {question} is over: its decision waits for an approver.",
        "changes": "The decision on {question} was accepted with changes and waits for an approver.",
        "deadline": "The debate {question} waits for people until {day}, {time} UTC.",
    }
)
"""Sentences that differ from those for one person."""
_ON_HIDDEN = message("(question not shown here)")


@dataclass(frozen=True, slots=True)
class Addressee:
    """The reader of a message. `person` is an id; empty = a channel that several people read."""

    person: str = ""
    may_read: bool = True
    """False for a channel that the agreed readers of the debate do not include: it gets no text of the debate."""


def question_words(state: State, to: Addressee) -> str:
    """The question in quotation marks, cut where it is long; other words for a reader without access."""
    if not to.may_read:
        return _(_ON_HIDDEN)
    question = line(state.spec.question)
    return quoted(question if len(question) <= MAX_QUESTION_CHARS else f"{question[: MAX_QUESTION_CHARS - 2]} …")


def example_sentence() -> str:
    """Return a message about no debate of this server, as a channel shows it."""
    question = quoted(_("Move the job queue to Redis?"))
    return _(_TO_ALL.english("vote"), question=question, poll=said(poll_words("final")))


def message_sentence(state: State, told: Message, to: Addressee) -> str:
    """The message in one sentence, in the current language."""
    if told.topic == "decided":
        return _decided(state, to)
    table = _TO_ONE if to.person or told.topic not in _TO_ALL else _TO_ALL
    values: dict[str, object] = {"question": question_words(state, to)}
    if told.topic == "turn":
        values["who"] = _speakers(state, told, to)
    if told.topic == "vote":
        values["poll"] = said(poll_words(told.key))
    if told.topic == "otherwise":
        recorded = next(done for done in state.room.of(OutcomeRecorded) if str(done.seq) == told.key)
        values["result"] = RESULTS[recorded.fact.result]
    if told.until is not None:
        values |= {"day": told.until.date().isoformat(), "time": told.until.strftime("%H:%M")}
    return _(table.english(told.topic), **values)


def _speakers(state: State, told: Message, to: Addressee) -> str:
    """Names of the speakers; their role where a reader could learn who wrote a turn, or belongs to no reader."""
    names_turns = state.open is not None and not state.open.slot.phase.hides_names
    if to.may_read and told.people and names_turns and state.spec.terms.blind == "named":
        return spoken_list([line(name_of(state, person)) for person in told.people])
    return spoken_list([named(role) for role in told.roles])


def _decided(state: State, to: Addressee) -> str:
    decision = decision_of(state)
    question = question_words(state, to)
    sees = may_see_result(state, to.person) if to.person else not still_judging(state)
    if not (sees and to.may_read) or sealed(state):
        return _("The debate {question} is over.", question=question)
    if decision.status == "rejected":
        return _("The decision on {question} was rejected.", question=question)
    if decision.option is None:
        return _("The debate {question} ended without a decision.", question=question)
    option = line(decision.option)
    if decision.signed is None:
        return _("The debate {question} is decided: {option}.", question=question, option=option)
    return _("The decision on {question} is signed: {option}.", question=question, option=option)

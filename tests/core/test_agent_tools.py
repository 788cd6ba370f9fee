"""Answers to programs over a host with its own clock: expiry, late and missing decisions, records of others."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest

from debate_core.errors import InvalidSpec, UnknownDebate
from debate_core.host.access.reading import STRANGER
from debate_core.host.agents.inbox import InboxQuestion
from debate_core.host.agents.tools import AgentTools, DecisionAnswer
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import OutcomeRecorded
from debate_core.record.commands import Act, Stop, TakeTurn
from debate_core.record.events import dump_record, parse_record, utc_text
from debate_core.spec.contents import Argument
from debate_core.spec.presets import compose
from debate_core.spec.protocol import Phase, Protocol, Spec
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Seat
from tests.virtual_time import VirtualTime

OPTIONS = ("keep", "move")
QUESTION = "Do we move the queue?"
RULES = Protocol(
    name="own",
    each_round=(Phase(name="talk", order="at_once", sealed=True),),
    stop=(MaxRounds(),),
    decide=Threshold(votes=2),
)
TWO = (Seat(id="ana", occupant="human"), Seat(id="ben", occupant="human"))


@dataclass
class Desk:
    """A host, its tools for programs, and the time."""

    host: Host
    tools: AgentTools
    time: VirtualTime

    def ask(self, days: int = 1) -> InboxQuestion:
        deadline = utc_text(self.time.at + timedelta(days=days)) if days else ""
        asked = self.tools.ask_room(QUESTION, OPTIONS, context="Costs doubled.", deadline=deadline, by="release-bot")
        question = self.host.inbox.find(asked.id)
        assert question is not None
        return question

    def start(self, question: InboxQuestion) -> str:
        return self.host.create(spec_of(question), by="ana")

    def vote(self, debate: str, *votes: str) -> None:
        for seat, vote in zip(("ana", "ben"), votes, strict=True):
            said = Argument(rationale="why", vote=vote)
            self.host.submit(debate, TakeTurn(by=seat, request=f"1.talk.{seat}.1", content=said))

    def read(self, question_id: str) -> DecisionAnswer:
        return self.tools.read_decision(question_id)


def spec_of(question: InboxQuestion) -> Spec:
    return compose(
        question.asked.question,
        question.options,
        RULES,
        TWO,
        max_rounds=1,
        sources=question.sources(),
        asked=question.asked,
    )


@pytest.fixture
def desk() -> Iterator[Desk]:
    time = VirtualTime()
    host = Host(MemoryStore(), HostOptions(clock=time.clock, worker="none", daily_questions=3))
    yield Desk(host, AgentTools(host, clock=time.clock), time)
    host.close()


def test_decision_in_time_has_a_signed_answer(desk: Desk):
    question = desk.ask()
    debate = desk.start(question)
    assert desk.read(debate).status == "running"
    desk.vote(debate, "move", "move")
    answer = desk.read(debate)
    assert (answer.status, answer.outcome, answer.signature) == ("decided", "move", "")
    assert answer.answer is not None
    assert answer.answer.statement.asked == question.asked
    # It stays the answer after the deadline.
    desk.time.at += timedelta(days=2)
    assert desk.read(debate).outcome == "move"


def test_reversed_decision_is_told_and_no_longer_signed(desk: Desk):
    debate = desk.start(desk.ask())
    desk.vote(debate, "move", "move")
    assert desk.read(debate).since == ""
    desk.host.submit(debate, Act(by="ana", act=OutcomeRecorded(result="reversed", reason="too slow")))
    answer = desk.read(debate)
    assert (answer.status, answer.outcome, answer.since, answer.answer) == ("decided", "move", "reversed", None)
    assert answer.explanation.endswith("reversed. Too slow.")
    assert [row.sign_off.since for row in desk.host.debates()] == ["reversed"]


def test_question_expires_and_can_no_longer_be_started(desk: Desk):
    question = desk.ask()
    desk.time.at += timedelta(days=1, seconds=1)
    answer = desk.read(question.asked.id)
    assert (answer.status, answer.outcome) == ("expired", None)
    assert desk.host.inbox.waiting() == ()
    with pytest.raises(InvalidSpec, match="no longer waits in the inbox"):
        desk.start(question)
    with pytest.raises(InvalidSpec, match="no longer waits in the inbox"):
        desk.host.inbox.decline(question.asked.id, reason="Late", by="Ana")
    assert desk.host.debates() == ()


def test_late_decision_is_no_answer(desk: Desk):
    debate = desk.start(desk.ask())
    desk.time.at += timedelta(days=2)
    assert desk.read(debate).status == "expired"
    desk.vote(debate, "move", "move")
    answer = desk.read(debate)
    assert (answer.status, answer.outcome, answer.answer) == ("expired", None, None)


@pytest.mark.parametrize("votes", [("keep", "move"), ("abstain", "abstain")])
def test_undecided_debate_is_answered_as_undecided(desk: Desk, votes: tuple[str, str]):
    debate = desk.start(desk.ask())
    desk.vote(debate, *votes)
    for _ in range(2):
        answer = desk.read(debate)
        assert (answer.status, answer.outcome, answer.answer) == ("undecided", None, None)
        desk.time.at += timedelta(days=2)


def test_stopped_debate_is_answered_as_undecided(desk: Desk):
    debate = desk.start(desk.ask())
    desk.host.submit(debate, Stop(by="ana", reason="Enough"))
    answer = desk.read(debate)
    assert (answer.status, answer.outcome) == ("undecided", None)
    assert desk.tools.is_final(answer)


def test_changed_copy_of_a_question_starts_nothing(desk: Desk):
    question = desk.ask()
    forged = question.model_copy(update={"asked": question.asked.model_copy(update={"question": "Do we stay?"})})
    with pytest.raises(InvalidSpec, match="no longer waits in the inbox"):
        desk.start(forged)


def test_record_from_a_file_under_the_same_id_is_not_signed(desk: Desk):
    question = desk.ask()
    elsewhere = Host(MemoryStore(), HostOptions(clock=desk.time.clock, worker="none"))
    try:
        elsewhere.inbox._store.put_note("question", question.asked.id, question.model_dump_json())
        there = Desk(elsewhere, AgentTools(elsewhere, clock=desk.time.clock), desk.time)
        there.vote(there.start(question), "move", "move")
        record = dump_record(elsewhere.events(question.asked.id))
    finally:
        elsewhere.close()
    desk.host.import_record(record.encode())
    answer = desk.read(question.asked.id)
    assert answer.answer is None
    assert desk.tools.verify_record(question.asked.id).key == ""


def test_sealed_turns_are_kept_from_programs(desk: Desk):
    debate = desk.start(desk.ask())
    said = Argument(rationale="why", vote="move")
    desk.host.submit(debate, TakeTurn(by="ana", request="1.talk.ana.1", content=said))
    answer = desk.read(debate)
    assert (answer.status, answer.outcome, answer.count) == ("running", None, "")
    for read in (desk.tools.record, desk.tools.verify_record, desk.tools.decision_record):
        with pytest.raises(InvalidSpec, match="cannot be read yet"):
            read(debate)


def test_record_of_a_decision_is_read_and_verified(desk: Desk):
    debate = desk.start(desk.ask())
    desk.vote(debate, "move", "move")
    assert parse_record(desk.tools.record(debate).encode()) == desk.host.events(debate)
    checked = desk.tools.verify_record(debate)
    assert (checked.ok, checked.key) == (True, desk.host.signatures.public_key)
    assert "move" in desk.tools.decision_record(debate)


def test_program_of_a_stranger_finds_no_debate(desk: Desk):
    debate = desk.start(desk.ask())
    desk.vote(debate, "move", "move")
    tools = AgentTools(desk.host, looker=STRANGER, clock=desk.time.clock)
    assert tools.search_decisions("move").decisions == ()
    for read in (tools.read_decision, tools.verify_record, tools.record):
        with pytest.raises(UnknownDebate):
            read(debate)


def test_context_is_a_document_with_its_author(desk: Desk):
    [source] = desk.ask().sources()
    assert (source.title, source.text) == ("Context given by release-bot", "Costs doubled.")


def test_daily_limit_counts_each_day_anew(desk: Desk):
    for _ in range(3):
        desk.ask(days=0)
    with pytest.raises(Exception, match="takes 3 questions of programs in a day"):
        desk.ask(days=0)
    assert len(desk.host.inbox.waiting()) == 3
    desk.time.at += timedelta(days=1)
    desk.ask(days=0)
    assert len(desk.host.inbox.waiting()) == 4

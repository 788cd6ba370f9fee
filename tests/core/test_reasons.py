"""A reason that gives nothing but the question or an option back is none, for people and for models alike."""

import asyncio

import pytest
from pydantic import JsonValue

from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate
from debate_core.engine.reply_parser import read_turn
from debate_core.engine.validate_content import fault_in_content, gives_no_reason, read_content
from debate_core.errors import BadReply
from debate_core.host.runner import run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.events import Event
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.facts.health import flags
from debate_core.report.files.export import csv_files
from debate_core.report.files.report import text_report
from debate_core.seats.scripted import Player, Script, ScriptTurn
from debate_core.spec.contents import Argument
from debate_core.spec.presets import BOUNDED_VOTE, compose, default_seats
from debate_core.spec.protocol import Driver, Spec
from debate_core.spec.values import Seat
from debate_core.ui.room.live.transcript import picture
from tests.playing import AT

QUESTION, OPTIONS = "Should we adopt a four-day week for the whole team?", ("adopt", "defer to spring")
SPEC = compose(QUESTION, OPTIONS, BOUNDED_VOTE, default_seats(BOUNDED_VOTE, QUESTION, OPTIONS, "offline"))
NO_REASON = [
    "Adopt.",
    "My position: adopt.",
    "defer to spring",
    "Should we adopt a four-day week for the whole team?",
    "We should adopt a four-day week for the whole team. My position: adopt.",
    "I recommend adopt, because it is the best option for the team.",
]
REASON = [
    "Four days are enough for our tickets.",
    "A four-day week keeps the team rested. My position: adopt.",
    "We should defer to spring: the audit needs the whole team.",
    "Because of the cost.",
    "Yes.",
]


@pytest.mark.parametrize("text", NO_REASON)
def test_who_only_repeats_the_question_or_an_option_is_asked_why(text: str):
    given = {"rationale": text, "vote": "adopt"}
    for read in (read_content, read_turn):
        with pytest.raises(BadReply, match="only repeats the question or an option: say why"):
            read(SPEC, "argument", given, asks_ballot=True)
    # Who claims something has given a reason; and what a record holds stays readable.
    claiming = {**given, "claims": [{"text": "Tickets fell by a fifth in the trial."}]}
    assert read_turn(SPEC, "argument", claiming, asks_ballot=True).content
    assert fault_in_content(SPEC, "argument", Argument(rationale=text, vote="adopt")) is None


@pytest.mark.parametrize("text", REASON)
def test_a_word_of_ones_own_is_a_reason(text: str):
    assert read_turn(SPEC, "argument", {"rationale": text, "vote": "adopt"}, asks_ballot=True).content


QUEUE = "Should the order service move to an event bus before March?"
ECHOES = [
    "Should the order service move to an event bus before March? The options: adopt, defer.",
    '| Should the order service move to an event bus before March?\n\nThe options: "adopt", "defer"; "adopt" means yes',
    "I speak as risk. Look first at outage, rollback, compliance.",
    "Outage, rollback, compliance.",
    "The order service should be moving to an event bus before March.",
    "The side I defend: move the queue. My position: adopt",
    "A good decision is measured by cost 60 and time 40. My position: adopt",
    "Yes, adopt.",
]


def queue_spec(attempts: int = 2) -> Spec:
    rules = BOUNDED_VOTE.model_copy(update={"attempts": attempts})
    seats = [
        Seat(id="risk", persona="Outage, rollback, compliance.", stance="move the queue", occupant="scripted"),
        Seat(id="cost", occupant="scripted"),
    ]
    drivers = [Driver(name="cost", weight=60), Driver(name="time", weight=40)]
    return compose(QUEUE, ("adopt", "defer"), rules, seats, drivers=drivers, max_rounds=1)


@pytest.mark.parametrize("text", ECHOES)
def test_echo_of_the_question_block_or_of_a_card_is_no_reason(text: str):
    with pytest.raises(BadReply, match="say why"):
        read_turn(queue_spec(), "argument", {"rationale": text, "vote": "adopt", "confidence": 95}, asks_ballot=True)


@pytest.mark.parametrize("text", ["Because of the cost.", "Outage.", "Risk.", "It is the outage."])
def test_single_word_of_a_card_is_a_reason(text: str):
    read = read_turn(queue_spec(), "argument", {"rationale": text, "vote": "adopt"}, asks_ballot=True)
    assert not gives_no_reason(queue_spec(), read.content)


@pytest.mark.parametrize("text", [*ECHOES, "My position: adopt."])
def test_ballot_of_the_last_attempt_counts_without_a_reason(text: str):
    given = {"rationale": text, "vote": "adopt"}
    read = read_turn(queue_spec(), "argument", given, asks_ballot=True, is_last=True)
    assert read.content.names == ("adopt",)
    assert gives_no_reason(queue_spec(), read.content)


@pytest.mark.parametrize("given", [{"rationale": "My position: adopt."}, {"rationale": "", "vote": "perhaps"}])
def test_last_attempt_without_a_valid_ballot_is_no_turn(given: dict[str, str]):
    with pytest.raises(BadReply):
        read_turn(queue_spec(), "argument", given, asks_ballot=True, is_last=True)
    if "vote" not in given:
        with pytest.raises(BadReply, match="say why"):
            read_turn(queue_spec(), "argument", given, asks_ballot=False, is_last=True)


def held_without_reasons(reason: str = "My position: adopt.") -> tuple[Event, ...]:
    said: dict[str, JsonValue] = {"rationale": reason, "vote": "adopt"}
    script = Script(turns=(ScriptTurn(content=said, repeat=True),))
    store = MemoryStore()
    opened = open_debate(queue_spec(), debate_id="d", at=AT)
    store.append("d", opened, after=0)
    player = Player(script, replay(opened), 0)
    asyncio.run(run("d", store, {"risk": player, "cost": player}))
    return tuple(store.load("d"))


def test_ballot_without_a_reason_is_marked_wherever_it_is_shown():
    events = held_without_reasons()
    state = replay(events)
    assert verify(events) == ()
    first = state.turns[0]
    assert (first.status, first.attempts, first.no_reason) == ("ok", 2, True)
    assert state.turns[0].argument is not None
    shown = account(state, events)
    assert {row.no_reason for row in shown.turns if row.vote} == {True}
    assert "ballot_without_reason" in flags(state)
    assert csv_files(shown)["turns.csv"].splitlines()[0].count("no_reason") == 1
    assert "no reason given" in text_report(shown)
    assert "no reason given" in str(picture(state, {}, ()))


def test_turn_with_a_reason_is_not_marked():
    state = replay(held_without_reasons("Orders wait nine seconds at noon."))
    assert {turn.no_reason for turn in state.turns} == {False}
    assert "ballot_without_reason" not in flags(state)

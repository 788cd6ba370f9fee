"""Silent steps: facts become claims that seats answer; the reasons of a premortem come before the signature."""

import pytest

from debate_core.engine import preparation
from debate_core.engine.audit import verify
from debate_core.engine.erasure import without_names
from debate_core.engine.next_step import next_step
from debate_core.engine.seat_view import view
from debate_core.record import acts
from debate_core.record.commands import Stop
from debate_core.record.events import Predecessor, dump_event
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.facts.agenda import agenda
from debate_core.report.facts.claim_reading import claim_readings
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.export import export_files
from debate_core.report.phrases.agreement import contract
from debate_core.seats.prompts import prompt_for
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Person, Preparation
from tests.people import ABE, ANN, FAY, GUS, OLA, refused, room_spec
from tests.playing import Played

PEOPLE = (FAY, ANN, GUS, ABE, OLA)
FACTS = Preparation(step="facts", minutes=2)
PREMORTEM = Preparation(step="premortem", minutes=3)
PUMP = "The pump was replaced in May"


def room(*steps: Preparation) -> Played:
    return Played(room_spec(PEOPLE, rounds=1, preparation=steps, decides="room"))


def words(held: Played) -> str | None:
    step = next_step(held.state, FAY.id)
    return step.words if step else None


def shown(*, named: bool = False) -> Played:
    """A room whose two facts are shown, before the first vote."""
    held = room(FACTS.model_copy(update={"named": named})).act(FAY, acts.PreparationBegun(step="facts"))
    held.act(ANN, acts.TextsWritten(step="facts", texts=("  " + PUMP,)))
    held.act(GUS, acts.TextsWritten(step="facts", texts=("The contract ends in June", PUMP.upper())))
    return held.act(FAY, acts.TextsShown(step="facts"))


def test_silent_steps_are_two_presses_each():
    held = room(FACTS, PREMORTEM)
    assert words(held) == "Ask what only one of us knows"
    held.act(FAY, acts.PreparationBegun(step="facts"))
    assert words(held) == "Show what people know"
    held.act(GUS, acts.TextsWritten(step="facts", texts=("a",)))
    assert ("What we know", "now", "1 of 3 in") in [(s.name, s.when, s.beside) for s in agenda(held.state)]
    held.act(FAY, acts.TextsShown(step="facts"))
    assert words(held) == "Open the pre-vote"
    assert ("What we know", "done", "") in [(s.name, s.when, s.beside) for s in agenda(held.state)]
    held.to_the_end()
    assert words(held) == "Ask why it might be reversed"
    held.act(FAY, acts.PreparationBegun(step="premortem"))
    assert words(held) == "Show the reasons"
    assert [step.name for step in agenda(held.state) if step.when == "now"] == ["Premortem"]
    held.act(FAY, acts.TextsShown(step="premortem"))
    assert words(held) == "Open the final vote"
    assert [step.name for step in agenda(held.state) if step.when == "now"] == ["Final vote"]
    assert verify(held.events) == ()


def test_facts_are_numbered_claims_that_seats_answer():
    held = shown().go_on()
    seen = view(held.state, held.requests()[0])
    assert [seen.numbers[fact.id] for fact in seen.facts] == [1, 2]
    block = next(block for block in prompt_for(seen).blocks if PUMP in block)
    assert f"Claim room.0.2: {PUMP}" in block
    held.say(Argument(rationale="why", vote="adopt", answers=("room.0.2",), claims=(Claim(text="In March"),)))
    held.to_the_end()
    read = account(held.state, held.events)
    rows = {row.claim_id: row for row in read.claims}
    assert list(rows)[:2] == ["room.0.1", "room.0.2"]
    assert (rows["room.0.2"].status, rows["room.0.1"].status) == ("contested", "unanswered")
    assert held.state.claim_numbers()["s0.1.1"] == 3
    assert [reading.number for reading in claim_readings(read)] == [1, 2, 3]
    table = export_files(read, "csv")["claims.csv"].decode()
    assert f'"room.0.2","","0","room","room","","{PUMP}"' in table
    for name in ("html", "md"):
        assert all(PUMP in file.decode() for file in export_files(read, name).values())
    assert PUMP in decision_record(read).text


def test_texts_of_a_person_removed_with_ballots_are_left_out():
    held = room(FACTS).act(FAY, acts.PreparationBegun(step="facts"))
    bot = Person(id="p-bot", name="Bot", role="voter", electorate="room")
    held.act(bot, acts.PersonJoined(person=bot)).act(bot, acts.TextsWritten(step="facts", texts=("Buy it",)))
    held.act(GUS, acts.TextsWritten(step="facts", texts=("The contract ends in June",)))
    held.act(FAY, acts.PersonLeft(person=bot.id, reason="no member", withdrawn=True))
    held.act(FAY, acts.TextsShown(step="facts"))
    assert [fact.text for fact in held.state.facts] == ["The contract ends in June"]
    assert preparation.shown_texts(held.state, "facts") == ("The contract ends in June",)


def test_facts_keep_their_numbers_when_a_name_is_removed():
    held = room(FACTS).act(FAY, acts.PreparationBegun(step="facts"))
    held.act(GUS, acts.TextsWritten(step="facts", texts=("Ann has the key", "Both doors are old", "The key is new")))
    held.act(FAY, acts.TextsShown(step="facts")).do(Stop(by=FAY.id, reason="enough"))
    made_from = Predecessor(debate="d", head=held.state.head, by="Op", reason="asked", at=held.events[-1].at)
    erased = without_names(held.events, [ANN.name], debate_id="d-new", predecessor=made_from)
    again = without_names(erased.events, ["Both"], debate_id="d-newer", predecessor=made_from)
    texts = [[(fact.id, fact.text[:8]) for fact in replay(one.events).facts] for one in (erased, again)]
    assert texts[0] == [("room.0.1", "N.N. has"), ("room.0.2", "Both doo"), ("room.0.3", "The key ")]
    assert [claim for claim, _text in texts[1]] == ["room.0.1", "room.0.2", "room.0.3"]
    assert texts[1][0][1] == "N.N. has"


def test_shown_texts_are_those_that_people_have_written():
    held = room(FACTS).act(FAY, acts.PreparationBegun(step="facts"))
    held.act(GUS, acts.TextsWritten(step="facts", texts=("The contract ends in June",)))
    refused(held, FAY, acts.TextsShown(step="facts", texts=()), "those that people have written")


def test_facts_have_names_where_that_was_agreed():
    assert [fact.text for fact in shown(named=True).state.facts] == ["Gus: The contract ends in June", f"Ann: {PUMP}"]
    held = room(FACTS, PREMORTEM.model_copy(update={"named": True}))
    agreed = dict(contract(held.state.spec, PEOPLE))["Before the first vote"]
    assert "sealed until all is shown, without names" in agreed
    assert "might be reversed, with names" in agreed


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (acts.TextsWritten(step="facts", texts=(" ",)), "write something"),
        (acts.TextsWritten(step="premortem", texts=("a",)), "not at this step"),
        (acts.TextsShown(step="premortem"), "not at this step"),
        (acts.PreparationBegun(step="premortem"), "not the next"),
    ],
)
def test_silent_acts_out_of_place_are_refused(act: acts.RoomAct, why: str):
    held = room(FACTS, PREMORTEM).act(FAY, acts.PreparationBegun(step="facts"))
    refused(held, FAY, act, why)
    refused(held, OLA, acts.TextsWritten(step="facts", texts=("a",)), "Ola is here as observer")
    refused(held, GUS, acts.TextsShown(step="facts"), "is for the facilitator")
    refused(shown(), GUS, acts.TextsWritten(step="facts", texts=("late",)), "not at this step")


def test_premortem_is_in_the_decision_record_and_no_claim():
    held = room(PREMORTEM).to_the_end().act(FAY, acts.PreparationBegun(step="premortem"))
    held.act(GUS, acts.TextsWritten(step="premortem", texts=("The vendor doubled its price",)))
    held.act(FAY, acts.TextsShown(step="premortem"))
    assert held.state.claims == {}
    held.act(FAY, acts.PollOpened(poll="final")).ballot(GUS, "final", "adopt").ballot(ANN, "final", "adopt")
    held.act(FAY, acts.PollClosed(poll="final")).act(FAY, acts.PollRevealed(poll="final"))
    text = decision_record(account(held.state, held.events)).text
    assert "### Premortem\n\n* The vendor doubled its price" in text


def test_room_without_silent_steps_keeps_its_bytes():
    held = room(Preparation(step="brief", minutes=5))
    line = dump_event(held.events[0])
    assert '"preparation":[{"minutes":5,"step":"brief"}]' in line

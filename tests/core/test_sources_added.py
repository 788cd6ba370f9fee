"""A document added during the debate: the right to add it, and its readers from then on."""

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import requests
from debate_core.engine.seat_view import view
from debate_core.errors import RuleViolation
from debate_core.record.acts import SourceAdded
from debate_core.record.commands import Act, Stop
from debate_core.record.events import make_event
from debate_core.report.facts.account import account
from debate_core.report.facts.claims import claim_rows
from debate_core.report.facts.interventions import override_rows
from debate_core.report.files.report import markdown_report, text_report, transcript_markdown
from debate_core.report.phrases.events import act_phrase
from debate_core.seats.prompts import prompt_for
from debate_core.seats.scripted import script_from_record
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Person
from debate_core.spec.values import Seat, Source
from debate_core.ui.room.live.transcript import picture
from debate_core.ui.room.live.visibility import Sight, veil
from tests.people import ANN, EVERYBODY, FAY, GUS, MO, OLA, refused, room_spec
from tests.playing import Played

PRICES = Source(id="E1", title="Prices of 2027", text="The cluster costs 900 USD a month from March on.")
BRINGS = SourceAdded(source=PRICES)
DAN = Person(id="p-dan", name="Dan", role="debater", seats=("s2",))


def of_people() -> Played:
    seats = [Seat(id="s0", occupant="scripted"), Seat(id="s1", occupant="scripted"), Seat(id="s2", occupant="human")]
    held = Played(room_spec((*EVERYBODY, DAN), seats=seats))
    held.go_on()
    return held


def seen(played: Played) -> tuple[Source, ...]:
    return view(played.state, requests(played.state)[0]).sources


def test_a_facilitators_document_joins_prompts_and_quote_checks():
    # R275
    held = Played(room_spec())
    held.go_on()
    held.play()
    held.go_on()
    assert seen(held) == ()
    held.act(FAY, BRINGS)
    there = PRICES.model_copy(update={"from_round": 2})
    assert seen(held) == (there,)
    assert any("900 USD a month" in block for block in prompt_for(view(held.state, requests(held.state)[0])).blocks)
    quote = Claim(text="It is dear", source_id="E1", quote="900 USD a month")
    held.say(Argument(rationale="why", vote="defer", claims=(quote,)))
    assert [row.quote_verified for row in claim_rows(held.state)] == ["verbatim"]
    held.to_the_end()
    assert verify(held.events) == ()
    assert script_from_record(held.events).sources == (there,)


def test_who_brought_it_stands_in_the_record():
    held = Played(room_spec())
    held.go_on()
    held.act(MO, BRINGS)
    row = override_rows(held.events)[-1]
    assert (row.actor, row.action, row.target) == ("Mo", "add document", "E1")
    assert "Prices of 2027" in row.after
    assert act_phrase(BRINGS) == "added the document E1: Prices of 2027"


def test_it_stands_in_every_transcript_where_it_came_in():
    held = Played(room_spec(rounds=1))
    held.go_on()
    held.say(Argument(rationale="FIRST", vote="adopt"))
    held.act(MO, BRINGS)
    when = held.events[-1].at[:16].replace("T", " ")
    held.play()
    told = account(held.state, held.events)
    new = f"New document E1: Prices of 2027. Added at {when} UTC, there from round 1 on."
    assert [(row.agent_name, row.text) for row in told.transcript if "E1" in row.text] == [("Mo, moderator", new)]
    for text in (text_report(told), markdown_report(told), transcript_markdown(told)):
        plain = text.replace("\\", "")
        assert plain.count("FIRST") == plain.count(new) == 1
        assert plain.index("FIRST") < plain.index(new)
        assert "Mo, moderator" in plain[plain.index("FIRST") : plain.index(new)]
    items = picture(held.state, {}, ())["items"]
    assert [(i["phase"], i["name"], i["badge"], i["text"]) for i in items if i["badge"] == "document"] == [
        ("1.opening", "Mo, moderator", "document", new)
    ]


def test_a_blind_reader_does_not_see_who_added_a_document():
    held = of_people()
    held.act(DAN, BRINGS)
    raw = picture(held.state, {}, ())
    names = {seat: f"Speaker {bird}" for seat, bird in zip(("s0", "s1", "s2"), ("Owl", "Kite", "Wren"), strict=True)}
    veiled, _ = veil(raw, Sight(names=names), {})
    assert [[i["name"] for i in p["items"] if i["badge"] == "document"] for p in (raw, veiled)] == [
        ["s2"],
        ["Speaker Wren"],
    ]
    # Whoever has to answer in the seat of another debater reads sides instead of names.
    (item,) = (i for i in picture(held.state, {}, ("s0",))["items"] if i["badge"] == "document")
    assert item["name"] == "side C"
    assert "Dan" not in str([*raw["items"], *veiled["items"]])


def test_a_debater_adds_a_document_only_while_asked():
    held = of_people()
    held.act(DAN, BRINGS)
    assert [source.id for source in seen(held)] == ["E1"]
    held.act(DAN, BRINGS)
    assert [source.id for source in seen(held)] == ["E1", "E2"]
    refused(held, ANN, BRINGS, "Ann is not asked for a turn now")
    refused(held, GUS, BRINGS, "Gus is not asked for a turn now")
    refused(held, OLA, BRINGS, "is for the")
    while "s2" in [request.seat for request in requests(held.state)]:
        by_seat = {request.seat: request for request in requests(held.state)}
        held.say(by="p-dan" if next(iter(by_seat)) == "s2" else "")
    refused(held, DAN, BRINGS, "Dan is not asked for a turn now")


def test_a_document_that_nobody_could_use_is_refused_in_words():
    held = Played(room_spec())
    held.go_on()
    refused(held, FAY, SourceAdded(source=PRICES.model_copy(update={"text": " "})), "a title and a text")
    refused(held, FAY, SourceAdded(source=PRICES.model_copy(update={"from_round": 9})), "round 9", "there are 2")
    held.do(Stop(by=FAY.id, reason="enough"))
    refused(held, FAY, BRINGS, "the debate is over")


def test_without_people_the_operator_adds_documents():
    held = Played(room_spec().model_copy(update={"room": None}))
    held.do(Act(by="ana", act=BRINGS))
    assert [source.id for source in seen(held)] == ["E1"]
    with pytest.raises(RuleViolation, match="is no person"):
        held.do(Act(by="s0", act=BRINGS))


@pytest.mark.parametrize("change", [{"id": "E7"}, {"from_round": 1}])
def test_a_record_in_which_it_came_in_otherwise_does_not_hold(change):
    held = Played(room_spec())
    held.go_on()
    held.play()
    held.go_on()
    held.act(FAY, BRINGS)
    added = held.events[-1]
    assert isinstance(added.body, SourceAdded)
    other = SourceAdded(source=added.body.source.model_copy(update=change))
    forged = make_event(added.debate, added.seq, added.prev_hash, added.at, added.actor, added.key, other)
    (finding,) = verify([*held.events[:-1], forged])
    assert "a document that is added now is E1" in finding.message

"""Documents that only some seats read, or that are added during the debate: rights, readers, sentences about them."""

import json
from typing import Any

import pytest

from debate_core.engine.audit import verify
from debate_core.engine.engine import requests
from debate_core.engine.erasure import names_of, without_names
from debate_core.engine.seat_view import view
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.record.acts import BallotCast, PollClosed, PollOpened, PollRevealed, SourceAdded
from debate_core.record.commands import Act, StartAttempt, Stop
from debate_core.record.events import Predecessor, make_event
from debate_core.record.state import Request
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.claims import claim_rows
from debate_core.report.facts.interventions import override_rows
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.report import markdown_report, text_report, transcript_markdown
from debate_core.report.phrases.events import act_phrase
from debate_core.report.phrases.source_claims import each_source_sentences, private_source_sentences
from debate_core.seats.offline import quoting_turn
from debate_core.seats.prompts import prompt_for
from debate_core.seats.scripted import read_script, script_from_record
from debate_core.spec.checks import check
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.models import ModelLine
from debate_core.spec.people import Person
from debate_core.spec.presets import compose, protocol
from debate_core.spec.presets.seeds import EXPERT_PANEL
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Seat, Source
from debate_core.spec.warnings import warnings
from debate_core.ui.room.live.transcript import picture
from debate_core.ui.room.live.visibility import Sight, veil
from debate_core.ui.setup.fork import forked
from debate_core.ui.setup.mapping import draft_of, spec_from
from debate_core.ui.setup.readiness import problem
from tests.people import ABE, ANN, EVERYBODY, FAY, GUS, MO, OLA, refused, room_spec
from tests.playing import Played
from tests.prompt_views import whole

COSTS = "The broker costs 900 dollars a month. It keeps every message for seven days."
REPORT = Source(id="E1", title="report.md", text="The old queue lost nine messages in May.")
LINE = ModelLine(id="m", model="m", provider="x", dialect="chat", base_url="http://127.0.0.1:1/v1")
VOTERS = tuple(Person(id=f"p-w{n}", name=f"Voter {n}", electorate="room") for n in range(3))


def private(*seats: str, **fields: Any) -> Source:
    return Source(id="E2", title="costs.md", text=COSTS, only_for=seats, **fields)


def spec_with(*sources: Source, **changes: Any) -> Spec:
    seats = [Seat(id=name, occupant="scripted") for name in ("ann", "ben", "cy")]
    spec = room_spec((FAY, ABE, *VOTERS), seats=seats, pre_vote="none", decides="room", asks_crux=True)
    return spec.model_copy(update={"sources": sources, **changes})


def held(quotes: dict[str, tuple[str, str]], *, decided_by: str = "") -> Account:
    """A debate in which each seat of `quotes` quotes (source, words) once, and all voters choose adopt."""

    def says(request: Request) -> Argument:
        claims: tuple[Claim, ...] = ()
        if request.seat in quotes and (request.round, request.phase) == (1, "opening"):
            source, words = quotes[request.seat]
            claims = (Claim(text=words, source_id=source, quote=words),)
        return Argument(rationale="why", vote="defer" if request.seat == "cy" else "adopt", claims=claims)

    played = Played(spec_with(REPORT, private("ann")))
    while played.state.outcome is None:
        assert private_source_sentences(account(played.state)) == ()
        played.go_on()
        played.play(says)
    played.act(FAY, PollOpened(poll="final"))
    for voter in VOTERS:
        played.act(voter, BallotCast(poll="final", choice="adopt", decided_by=decided_by or None))
    played.act(FAY, PollClosed(poll="final")).act(FAY, PollRevealed(poll="final"))
    assert verify(played.events) == ()
    return account(played.state, played.events)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (private("dan"), "source 'E2' is only for seat 'dan': this debate has ann, ben, cy"),
        (private(), "source 'E2' is for no seat: name its readers, or let all seats read it"),
        (private("ann", "ann"), "source 'E2' names one of its readers twice: name each once"),
    ],
)
def test_wrong_readers_are_refused_in_one_sentence(source: Source, words: str) -> None:
    with pytest.raises(InvalidSpec) as told:
        check(spec_with(source))
    assert str(told.value) == words


def test_a_tournament_refuses_private_sources() -> None:
    compared = protocol("tournament")
    seats = [Seat(id=name, occupant="offline") for name in ("ann", "ben")]
    with pytest.raises(InvalidSpec, match="'E2' is only for some seats: a tournament shows its documents to all"):
        compose("Best?", ["adopt", "defer"], compared, seats, sources=[private("ann")])


def test_lone_readers_and_moving_models_are_warned_about() -> None:
    spec = spec_with(private("ann"))
    moving = spec.model_copy(update={"protocol": spec.protocol.model_copy(update={"rotate_models": True})})
    said = [str(sentence) for sentence in warnings(moving)]
    assert "only ann reads a document: the other seats have nothing to quote" in said
    assert any("the source E2 stays with its seat, so several models read it" in words for words in said)
    assert not any("reads a document" in str(sentence) for sentence in warnings(spec_with(REPORT, private("ann"))))


def test_a_source_added_in_a_debate_is_for_all_seats() -> None:
    played = Played(spec_with(REPORT)).go_on()
    refused(played, FAY, SourceAdded(source=private("ann")), "is for all seats")


def test_a_source_for_all_is_written_as_before() -> None:
    assert set(REPORT.model_dump()) == {"id", "title", "text", "from_round"}
    assert private("ann").model_dump()["only_for"] == ("ann",)


def test_other_seats_read_the_verdict_on_a_private_quote() -> None:
    played = Played(spec_with(REPORT, private("ann"))).go_on()
    right, wrong = "It keeps every message for seven days.", "It keeps every message for nine days."
    claims = tuple(Claim(text="Safe", source_id="E2", quote=quote) for quote in (right, wrong))
    while (asked := played.requests()) and asked[0].phase == "opening":
        played.say(Argument(rationale="why", vote="adopt", claims=claims if asked[0].seat == "ann" else ()))
    played.say("adopt")
    request = played.requests()[0]
    assert (request.seat, request.phase) == ("ben", "reply")
    prompt = whole(prompt_for(view(played.state, request)))
    assert prompt.count("checked by code: the source does not say it like this") == 1
    assert right in prompt
    assert "900 dollars" not in prompt


@pytest.mark.parametrize(("reader", "shown"), [("ann", False), ("ben", True)])
def test_thinking_of_a_private_reader_is_not_shown(reader: str, shown: bool) -> None:
    seats = (Seat(id="cy", model="m"), Seat(id="ann", occupant="scripted"), Seat(id="ben", occupant="scripted"))
    source = private("cy" if reader == "ann" else "ben")
    played = Played(spec_with(REPORT, source, seats=seats, models=(LINE,))).go_on()
    request = next(request for request in played.requests() if request.seat == "cy")
    played.do(StartAttempt(by="runner", request=request.id))
    items = picture(played.state, {}, (), thinking={request.id: "They ask 900."})["items"]
    assert ("They ask 900." in json.dumps(items)) == shown


def test_panel_seats_share_a_private_source_among_readers() -> None:
    texts = [f"The broker of the team {n} lost {n} messages in the week before." for n in range(2, 6)]
    source = Source(id="E2", title="Teams", text="\n\n".join(texts), only_for=("ben",))
    seats = tuple(Seat(id=name, occupant="offline") for name in ("ann", "ben", "cy"))
    spec = spec_with(REPORT, source, seats=seats, protocol=EXPERT_PANEL)
    played = Played(spec).go_on()
    quoted: dict[str, list[str]] = {seat.id: [] for seat in seats}
    while played.state.paused is None and (asked := played.requests()):
        turn = quoting_turn(view(played.state, asked[0]), seats)
        quoted[asked[0].seat] += [claim.quote or "" for claim in turn.claims if claim.source_id == "E2"]
        played.say(turn)
    assert sorted(quoted["ben"]) == sorted(texts)
    assert quoted["ann"] == quoted["cy"] == []


def test_what_rested_on_a_private_source_is_told() -> None:
    told = held(
        {
            "ann": ("E2", "It keeps every message for seven days."),
            "ben": ("E2", "The broker costs 900 dollars a month."),
            "cy": ("E1", "The old queue lost nine messages"),
        },
        decided_by="ann.1.1",
    )
    [said] = private_source_sentences(told)
    assert (
        said
        == "Of the seats, only Ann could read “costs.md”. 2 claims quote it, by Ann and Ben. 1 was named as decisive."
    )
    assert each_source_sentences(told) == (
        "“costs.md”: claims that quote only this source: 2 for adopt, 0 for defer, 0 for reject.",
        "“report.md”: claims that quote only this source: 0 for adopt, 1 for defer, 0 for reject.",
    )
    assert said in markdown_report(told)
    assert "E2: costs.md (76 characters). Read only by Ann until the end" in markdown_report(told)
    assert "Of the seats, only Ann could read “costs.md”" in decision_record(told).text


def test_a_private_source_without_a_quote_is_told() -> None:
    [said] = private_source_sentences(held({"ann": ("E2", "It keeps every message for nine days.")}))
    assert said == (
        "Of the seats, only Ann could read “costs.md”. It was never quoted, so no other seat knew it. "
        "1 other quote of it is false."
    )


def test_a_record_with_private_sources_loses_a_name() -> None:
    told = held({"ann": ("E2", "It keeps every message for seven days.")})
    made_from = Predecessor(debate="d-room", head=told.state.head, by="Op", reason="asked", at=told.events[-1].at)
    names = names_of(told.state, told.events, "Voter 1")
    erased = without_names(told.events, names, debate_id="d-new", predecessor=made_from)
    assert verify(erased.events) == ()
    assert "Voter 1" not in json.dumps([event.body.model_dump(mode="json") for event in erased.events])


def test_a_copy_of_a_debate_keeps_the_marks_of_sources() -> None:
    played = Played(spec_with(REPORT, private("ann")))
    draft = forked(played.state, "partition")
    assert spec_from(draft).sources == (REPORT, private("ann"))
    assert draft_of(spec_from(draft)).sources == (REPORT, private("ann"))
    renamed = tuple(seat.replace(id=f"x_{seat.id}") for seat in draft.panel())
    why = problem(draft.replace(seats=renamed))
    assert why == "source 'E2' is only for seat 'ann': this debate has x_ann, x_ben, x_cy"


def test_a_script_marks_the_readers_of_a_source() -> None:
    script = read_script(
        json.dumps(
            {
                "question": "Adopt?",
                "options": ["adopt", "defer"],
                "seats": [{"id": "ann"}, {"id": "ben"}],
                "sources": [{"id": "E2", "title": "costs.md", "text": COSTS, "only_for": ["ann"]}],
            }
        )
    )
    assert script.sources == (private("ann"),)


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

"""Live transcript of a blind room by reader: aliases, no seat names, and nothing withheld."""

import json
import re
from typing import Any

import pytest

from debate_core.engine.engine import requests
from debate_core.engine.judge_view import aliases
from debate_core.language import LANGUAGES, Language, spoken
from debate_core.record.acts import BeliefReported, Believed, PollClosed, PollOpened, PollRevealed
from debate_core.record.commands import TakeTurn
from debate_core.record.state import State
from debate_core.report.phrases.turns import left_out_words
from debate_core.spec.contents import Argument, ClaimInput, Directive, LeftOut
from debate_core.spec.values import Seat
from debate_core.ui.room.live.contents import fill
from debate_core.ui.room.live.transcript import picture
from debate_core.ui.room.live.visibility import AUDIENCE, Sight, names_for, seat_name, sight_of, veil
from debate_core.ui.room.live.wire_types import Picture
from tests.people import ANN, EVERYBODY, FAY, GUS, JUNE, OLA, OPTIONS, SYD, room_spec
from tests.playing import Played

SEATS = tuple(
    Seat(id=i, occupant="scripted", stance=f"for {o}", model="secret-model", family="secret-family")
    for i, o in zip(("cost_hawk", "risk", "ops"), OPTIONS, strict=True)
)
NAMES = ("cost_hawk", "cost hawk", "risk", "ops", "secret", "scripted", "for adopt")


def round_1(**agreed: Any) -> Played:
    """Each seat opens with a claim, and answers the claims before it."""
    held = Played(room_spec(EVERYBODY, seats=SEATS, **agreed))
    held.go_on()
    held.play()
    return held


def told(state: State, viewer: Any) -> Picture:
    sight = sight_of(state, viewer)
    return veil(picture(state, {}, sight.holds), sight, {})[0]


def test_judges_audience_and_strangers_read_aliases_only():
    state = round_1().state
    for viewer in (JUNE, GUS, ANN, OLA, None):
        shown = json.dumps(told(state, viewer)).casefold()
        assert [name for name in NAMES if f'"{name}' in shown or f".{name}" in shown] == []
        assert "speaker " in shown


@pytest.mark.parametrize(("decides", "shows"), [("room", False), ("debaters", True)])
def test_turns_have_no_seat_count_before_a_deciding_vote(decides: str, shows: bool):
    """Everyone reads the arguments without the count of the seats, until the vote is revealed."""
    held = round_1(decides=decides, pre_vote="none")
    for viewer in (FAY, GUS, ANN, OLA, None):
        groups = told(held.state, viewer)["groups"]
        assert any(group["tally"] for group in groups) is shows
    held.to_the_end().act(FAY, PollOpened(poll="final"))
    assert not any(group["tally"] for group in told(held.state, GUS)["groups"])
    assert "adopt" not in told(held.state, GUS)["meta"]["closing"]
    held.act(FAY, PollClosed(poll="final"))
    assert any(group["tally"] for group in told(held.state, GUS)["groups"]) is shows
    held.act(FAY, PollRevealed(poll="final"))
    assert any(group["tally"] for group in told(held.state, GUS)["groups"])


def test_aliases_have_no_vote_while_a_judge_reads_blind():
    """A judge in the room sees the wall and the phones beside them."""
    held = round_1()
    for viewer in (GUS, OLA, None):
        assert [item["id"] for item in told(held.state, viewer)["items"] if "vote" in item] == []
    assert [item for item in told(held.state, FAY)["items"] if "vote" in item]
    held = round_1(blind="named")
    assert [item for item in told(held.state, None)["items"] if "vote" in item]


def test_the_audience_shares_aliases_and_a_judge_has_others():
    state = round_1().state
    names = [[i["name"] for i in told(state, viewer)["items"]] for viewer in (GUS, OLA, None)]
    assert names[0] == names[1] == names[2]
    assert names_for(state, GUS) == aliases(state, AUDIENCE)
    assert names_for(state, JUNE) == aliases(state, JUNE.id)


def test_leaders_and_synthesisers_read_names():
    state = round_1().state
    for viewer in (FAY, SYD):
        assert [i["name"] for i in told(state, viewer)["items"]][:3] == ["cost hawk", "risk", "ops"]
    assert names_for(round_1(blind="named").state, JUNE) == {}


def test_claims_carry_the_alias_and_answers_their_number():
    held = Played(room_spec(EVERYBODY, seats=SEATS))
    held.go_on()
    for n, asked in enumerate(requests(held.state)):
        claims = (ClaimInput(text=f"claim {n}"),)
        held.do(TakeTurn(by=asked.seat, request=asked.id, content=Argument(rationale="r", vote="adopt", claims=claims)))
    asked = requests(held.state)[0]
    held.do(
        TakeTurn(
            by=asked.seat,
            request=asked.id,
            content=Argument(rationale="r", vote="adopt", answers=("risk.1.1",), concedes=("ops.1.1",)),
        )
    )
    state = held.state
    short = {s: a.removeprefix("Speaker ") for s, a in names_for(state, JUNE).items()}
    items = {i["id"]: i for i in told(state, JUNE)["items"]}
    first = items[f"1.opening.Speaker-{short['cost_hawk']}"]
    assert [r["id"] for r in first["rows"]] == [f"{short['cost_hawk']}.1.1"]
    reply = items[f"1.reply.Speaker-{short['cost_hawk']}"]
    number = [*state.claims].index
    assert [r["number"] for r in first["rows"]] == [number("cost_hawk.1.1") + 1]
    assert reply["answers"] == f"answers claim {number('risk.1.1') + 1} · concedes claim {number('ops.1.1') + 1}"


@pytest.mark.parametrize("drawn_in", LANGUAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_the_program_names_a_seat_in_any_language(language: Language, drawn_in: Language):
    cost_hawk = Seat(id="cost_hawk", occupant="offline")
    seats = (cost_hawk, *(seat.model_copy(update={"occupant": "model"}) for seat in SEATS[1:]))
    held = Played(room_spec(EVERYBODY, seats=seats))
    held.go_on()
    sight = sight_of(held.state, OLA)
    with spoken(drawn_in):
        raw = picture(held.state, {}, ())
        item = raw["items"][0]
        fill(held.state, item, Directive(reason="r", next_speakers=("risk", "cost_hawk")), {})
        item["facts"] = [left_out_words([LeftOut(field="answers.0", raw='"risk.1.9"')])]
    with spoken(language):
        shown = veil(raw, sight, {})[0]
    told = " ".join((shown["meta"]["notice"], shown["items"][0]["rows"][0]["text"], *shown["items"][0]["facts"]))
    assert re.findall("cost.hawk|risk", told, re.IGNORECASE) == []
    assert {"en": "Speaker ", "de": "Sprecher "}[language] in shown["items"][0]["rows"][0]["text"]


def test_words_of_seats_are_never_changed():
    held = Played(room_spec(EVERYBODY, seats=SEATS))
    held.go_on()
    for asked in requests(held.state):
        held.do(
            TakeTurn(by=asked.seat, request=asked.id, content=Argument(rationale="The risk is high.", vote="adopt"))
        )
    assert {i["text"] for i in told(held.state, JUNE)["items"] if i["state"] == "given"} == {"The risk is high."}


CITING = Argument(
    rationale="As cost_hawk.1.1 says.",
    claims=(ClaimInput(text="Against cost_hawk.1.1.", answers=("cost_hawk.1.1",)),),
    answers=("cost_hawk.1.1",),
    vote="adopt",
)


def _cited() -> Played:
    """A round in which the second seat cites the first, and the third has still to speak."""
    held = Played(room_spec(EVERYBODY, seats=SEATS))
    held.go_on()
    for asked in requests(held.state):
        said = Argument(rationale="r", vote="adopt", claims=(ClaimInput(text="A point."),))
        held.do(TakeTurn(by=asked.seat, request=asked.id, content=said))
    return held.say("adopt").say(CITING)


def test_citations_use_the_name_that_the_reader_sees():
    # R106
    held = _cited()
    short = {s: a.removeprefix("Speaker ") for s, a in names_for(held.state, JUNE).items()}
    shown = json.dumps(told(held.state, JUNE))
    assert f"As {short['cost_hawk']}.1.1 says." in shown
    assert f"Against {short['cost_hawk']}.1.1." in shown
    assert "cost_hawk" not in shown


def test_a_pending_respondent_reads_sides_and_no_seat_ids():
    # R105
    held = _cited()
    waiting = held.requests()[0].seat
    others = [s.id for s in SEATS if s.id != waiting]
    shown = json.dumps(picture(held.state, {}, [waiting])["items"])
    assert "As seat_a.1.1 says." in shown
    assert [seat for seat in others if f"{seat}." in shown or f".{seat}" in shown] == []
    after = json.dumps(picture(held.to_the_end().state, {}, [waiting])["items"])
    assert "As cost_hawk.1.1 says." in after


def test_names_return_after_the_judgement_and_after_the_debate():
    held = round_1()
    held.to_the_end()
    assert names_for(held.state, GUS) == {}
    assert names_for(held.state, None) == {}
    assert names_for(held.state, JUNE)
    beliefs = tuple(Believed(option=o, percent=p) for o, p in zip(OPTIONS, (50, 30, 20), strict=True))
    held.act(JUNE, BeliefReported(round=2, beliefs=beliefs, explanation="because", final=True))
    assert names_for(held.state, JUNE) == {}


def test_unreadable_parts_give_a_judge_no_words_count_or_end():
    held = round_1()
    held.to_the_end()
    shown = told(held.state, JUNE)
    later = [i for i in shown["items"] if i["phase"].startswith("2.")]
    assert later
    assert {(i["state"], i["text"]) for i in later} == {("later", "")}
    assert {g["tally"] for g in shown["groups"] if g["id"].startswith("2.")} == {""}
    assert shown["meta"]["closing"] == "The debate is over."


def test_nothing_is_drawn_twice_and_solo_debates_are_plain():
    state = round_1().state
    sight = sight_of(state, JUNE)
    raw = picture(state, {}, sight.holds)
    first, drawn = veil(raw, sight, {})
    again, _ = veil(raw, sight, drawn)
    assert all(a is b for a, b in zip(first["items"], again["items"], strict=True))
    alone = state.spec.model_copy(update={"room": None})
    assert seat_name("cost_hawk", Sight().names) == "cost hawk"
    assert alone.room is None
    assert veil(raw, Sight(), {}) == (raw, {})


def test_a_judge_learns_no_vote_and_no_end_before_the_final_word():
    held = round_1()
    beliefs = tuple(Believed(option=o, percent=p) for o, p in zip(OPTIONS, (50, 30, 20), strict=True))
    held.act(JUNE, BeliefReported(round=1, beliefs=beliefs))
    held.to_the_end()
    shown = told(held.state, JUNE)
    given = [i for i in shown["items"] if i["state"] == "given"]
    assert given
    assert [i for i in given if "vote" in i or "confidence" in i] == []
    assert {g["tally"] for g in shown["groups"]} == {""}
    assert shown["meta"]["closing"] == "The debate is over."
    held.act(JUNE, BeliefReported(round=2, beliefs=beliefs, explanation="because", final=True))
    shown = told(held.state, JUNE)
    assert [i["vote"]["text"] for i in shown["items"] if i["state"] == "given"]
    assert shown["meta"]["closing"].startswith(("Decided", "Undecided", "Not decided"))

"""People and driver weights in decision records."""

import pytest

from debate_core.language import spoken
from debate_core.record import acts
from debate_core.report.facts.account import account
from debate_core.report.files.adr.record import decision_record
from debate_core.spec.protocol import Driver
from tests.adr_reader import read_adr
from tests.people import ABE, BEN, FAY, GUS, MO, room_spec, whole_workshop
from tests.playing import Played


def text_of(played: Played) -> str:
    return decision_record(account(played.state, played.events)).text


def took_part(held: Played) -> list[str]:
    return read_adr(text_of(held)).sections["Participants"]


def test_voter_who_becomes_approver_stays_a_voter():
    held = whole_workshop()
    held.act(FAY, acts.PersonChanged(person=GUS.model_copy(update={"role": "approver"})))
    assert {"Voters: Ann, Ben, Gus", "Approvers: Abe, Gus"} <= {*took_part(held)}


def test_person_who_led_and_left_is_listed_as_facilitator():
    held = whole_workshop()
    held.act(FAY, acts.PersonChanged(person=MO.model_copy(update={"role": "facilitator"})))
    held.act(MO.model_copy(update={"role": "facilitator"}), acts.PersonLeft(person=FAY.id))
    lines = took_part(held)
    assert lines[0] == "Facilitators: Fay, Mo"
    assert "Voters: Ann, Ben, Gus" in lines


def test_voter_who_was_shown_out_is_listed_by_the_ballot():
    held = whole_workshop()
    held.act(FAY, acts.PersonLeft(person=BEN.id))
    assert "Voters: Ann, Ben, Gus" in took_part(held)


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ((34, 33, 33), ["cost", "time", "risk"]),
        ((50, 25, 25), ["cost (weight 50 of 100)", "time (weight 25 of 100)", "risk (weight 25 of 100)"]),
    ],
)
def test_driver_has_a_weight_only_if_one_was_given(weights: tuple[int, ...], told: list[str]):
    drivers = tuple(Driver(name=n, weight=w) for n, w in zip(("cost", "time", "risk"), weights, strict=True))
    held = Played(room_spec(rounds=1).model_copy(update={"drivers": drivers})).go_on().to_the_end()
    assert read_adr(text_of(held)).sections["Decision Drivers"] == told


def test_a_german_reason_begins_with_its_noun_in_capitals():
    """The background writes the word in lower case, as in the id of a seat."""
    spec = room_spec().model_copy(update={"context": "the jury has met"})
    held = Played(spec).to_the_end()
    held.act(ABE, acts.Signed(verdict="accept", option="adopt", reason="Jury hat es geprüft"))
    assert "because jury hat es geprüft" in text_of(held)
    with spoken("de"):
        assert "denn Jury hat es geprüft" in text_of(held)

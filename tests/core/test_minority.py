"""The reason of the minority: the option most of the others chose, and a claim of a seat that chose it."""

from typing import Any

from debate_core.record import acts
from debate_core.report.facts.account import account
from debate_core.report.phrases.cautions import cautions
from debate_core.report.phrases.minority import minority_reason
from debate_core.spec.people import Person
from debate_core.spec.rules import Elected, Plurality
from tests.core.test_option_reasons import claiming
from tests.people import FAY, room_spec
from tests.playing import Played

ROOM = tuple(Person(id=f"p-v{n}", name=f"Voter {n}", electorate="room") for n in range(4))
NIGHT = "No one is on call at night"


def decided(*choices: str, reveal: bool = True, **agreed: Any) -> Played:
    """A debate with a claim for each option, decided by these votes of the room."""
    held = Played(room_spec((FAY, *ROOM), decides="room", pre_vote="none", rounds=1, **agreed))
    held.go_on()
    claiming(held, "adopt", "It pays off within the first year")
    claiming(held, "defer", NIGHT)
    claiming(held, "reject", "The vendor is in trouble")
    held.to_the_end().act(FAY, acts.PollOpened(poll="final"))
    for person, choice in zip(ROOM, choices, strict=False):
        held.ballot(person, "final", choice)
    held.act(FAY, acts.PollClosed(poll="final"))
    return held.act(FAY, acts.PollRevealed(poll="final")) if reveal else held


def reason(held: Played) -> tuple[str, str] | None:
    return minority_reason(account(held.state, held.events))


def test_largest_minority_is_heard_with_a_claim_for_it():
    told = ("Another view, from a seat for defer", f"“{NIGHT}” (s1, claim 2)")
    assert reason(decided("adopt", "adopt", "defer", "adopt")) == told


def test_no_minority_has_no_words():
    assert reason(decided("adopt", "adopt", "adopt")) is None


def test_sealed_votes_have_no_minority():
    assert reason(decided("adopt", "adopt", "defer", reveal=False)) is None


def test_points_of_ballots_are_no_minority():
    held = Played(room_spec((FAY, *ROOM), decides="room", pre_vote="none", rounds=1, vote=Elected(kind="score")))
    assert reason(held) is None


def test_full_turnout_claims_no_more_than_is_known():
    """Ballots are no proof of as many people if anyone with the link could join."""

    def chip(**agreed: Any) -> tuple[str, str]:
        held = decided("adopt", "adopt", "adopt", "defer", vote=Plurality(), **agreed)
        (found,) = [one for one in cautions(account(held.state, held.events)) if "ballots were cast" in one.reason]
        return found.words, found.reason

    twice = "Anyone with the link could join, so one person may have joined twice."
    assert chip() == ("Every voter voted", f"4 of 4 ballots were cast. {twice}")
    assert chip(joining="named") == ("Everyone in the room voted", "4 of 4 ballots were cast.")

"""Which claims stand for which option: as people marked them, else by the ballot of the seat that made them."""

from debate_core.record import acts
from debate_core.record.commands import SetMark
from debate_core.report.facts.account import account
from debate_core.report.facts.option_reasons import claims_that_stand, option_reasons
from debate_core.spec.contents import Argument, Claim, Mark
from tests.people import MO, room_spec
from tests.playing import Played


def claiming(played: Played, vote: str | None, *texts: str) -> None:
    claims = tuple(Claim(text=text) for text in texts)
    played.say(Argument(rationale="why", vote=vote, claims=claims))


def told(played: Played) -> dict[str, list[str]]:
    """`adopt` -> `for s0.1.1`, in order."""
    found = option_reasons(account(played.state, played.events)).items()
    return {option: [f"{reason.side} {reason.row.claim_id}" for reason in reasons] for option, reasons in found}


def spoken() -> Played:
    held = Played(room_spec()).go_on()
    claiming(held, "adopt", "It pays off within the first year", "Nobody has to be on call at night")
    claiming(held, "defer", "The team has never run such a store", "It pays off within the first year")
    claiming(held, None, "Two vendors offer a trial until the summer")
    return held


def test_an_unmarked_claim_is_said_by_whoever_votes_for_the_option():
    held = spoken()
    assert [row.claim_id for row in claims_that_stand(account(held.state, held.events))] == [
        "s0.1.1",
        "s0.1.2",
        "s1.1.1",
        "s2.1.1",
    ]
    assert told(held) == {"adopt": ["said s0.1.1", "said s0.1.2"], "defer": ["said s1.1.1"], "reject": []}


def test_marks_go_before_ballots_and_a_neutral_one_takes_a_claim_away():
    held = spoken()
    for claim, reading, option in (
        ("s0.1.2", "against", "adopt"),
        ("s2.1.1", "supports", "adopt"),
        ("s0.1.1", "neutral", "adopt"),
        ("s1.1.1", "supports", "reject"),
    ):
        mark = Mark.model_validate({"claim_id": claim, "reading": reading, "option": option})
        held.do(SetMark(by=MO.id, mark=mark))
    assert told(held) == {"adopt": ["against s0.1.2", "for s2.1.1"], "defer": [], "reject": ["for s1.1.1"]}


def test_claims_of_a_struck_turn_stand_for_nothing():
    held = spoken()
    held.act(MO, acts.Struck(turn="1.opening.s0", reason="it insults"))
    assert "s0.1.1" not in [row.claim_id for row in claims_that_stand(account(held.state, held.events))]
    assert told(held)["adopt"] == []

"""Seats that vote alike for other reasons: named from ids of claims, with the overlap, and never counted."""

import pytest

from debate_core.record.state import Request
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.health import findings
from debate_core.report.facts.same_vote import same_vote_rows
from debate_core.report.files.export import csv_files, run_json
from debate_core.report.files.report import markdown_report, text_report
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.presets import BOUNDED_VOTE, compose
from debate_core.spec.values import Occupant, Seat
from tests.playing import Played

Turn = dict[str, object]
SEATS = ("ana", "ben", "cyd")
OPEN: dict[str, Turn] = {
    "ana": {"claims": (Claim(text="It is cheap"),)},
    "ben": {"claims": (Claim(text="It is fast"),)},
    "cyd": {"claims": (Claim(text="It is risky"), Claim(text="It is late"))},
}
"""The claims ana.1.1, ben.1.1, cyd.1.1 and cyd.1.2."""


def played(second: dict[str, Turn], votes: str = "aab", occupant: Occupant = "scripted") -> Played:
    """One round of two speaking phases; the votes of ana, ben and cyd are letters of the options."""
    seats = [Seat(id=seat, occupant=occupant) for seat in SEATS]
    options = {"a": "adopt", "b": "defer", "c": "reject"}
    spec = compose("Do we move?", tuple(options.values()), BOUNDED_VOTE, seats, max_rounds=1, threshold=3)
    vote = dict(zip(SEATS, (options[letter] for letter in votes), strict=True))
    told = {"proposal": OPEN, "critique": second}

    def say(request: Request) -> Argument:
        more = told.get(request.phase, {}).get(request.seat, {})
        return Argument.model_validate({"rationale": "why", "vote": vote[request.seat], **more})

    return Played(spec).play(say)


def seen(held: Played) -> Account:
    return account(held.state, held.events)


def test_seats_of_which_one_answers_the_other_are_named():
    second: dict[str, Turn] = {"ana": {"answers": ["cyd.1.1"]}, "ben": {"answers": ["ana.1.1"]}}
    told = seen(played(second))
    (row,) = told.same_vote
    assert (row.reasons, row.contradicted, row.overlap) == ("contradict", ("ana.1.1",), 0.0)
    sentence = "ana and ben (adopt), one answers the other: ana.1.1."
    for text in (text_report(told), markdown_report(told).replace("\\", ""), csv_files(told)["health.csv"]):
        assert f"Seats that vote alike for different reasons: {sentence}" in text
    found = run_json(told)
    assert "different_reasons" in found["flags"]  # type: ignore[operator]
    assert found["same_vote"] == [
        {
            "option": "adopt",
            "first": "ana",
            "second": "ben",
            "overlap": 0.0,
            "common": (),
            "contradicted": ("ana.1.1",),
            "reasons": "contradict",
        }
    ]


def test_seats_without_a_claim_in_common_are_named():
    second: dict[str, Turn] = {"ana": {"answers": ["cyd.1.1"]}, "ben": {"answers": ["cyd.1.2"]}}
    told = seen(played(second))
    (row,) = told.same_vote
    assert (row.reasons, row.overlap, row.contradicted) == ("apart", 0.0, ())
    assert "different reasons: ana and ben (adopt), no claim in common." in text_report(told)


def test_one_may_not_rest_on_what_the_other_answers():
    second: dict[str, Turn] = {"ana": {"answers": ["cyd.1.1"]}, "ben": {"concedes": ["cyd.1.1"]}}
    assert same_vote_rows(played(second).state)[0].contradicted == ("cyd.1.1",)


@pytest.mark.parametrize(
    ("ana", "ben", "reasons", "overlap"),
    [
        # Two own claims, and one that both answer.
        ({"answers": ["cyd.1.1"]}, {"answers": ["cyd.1.1"]}, "shared", 0.3333),
        # Ben accepts the claim on which Ana rests.
        ({"answers": ["cyd.1.1"]}, {"concedes": ["ana.1.1"]}, "shared", 0.3333),
        # Ben concedes what he had answered: he rests on it.
        ({"answers": ["cyd.1.1"]}, {"answers": ["ana.1.1"], "concedes": ["ana.1.1"]}, "shared", 0.3333),
        ({}, {}, "unknown", None),
        ({"answers": ["cyd.1.1"]}, {}, "unknown", None),
        # An id that names nothing is no reason.
        ({"answers": ["cyd.1.1"]}, {"answers": ["cyd.9.9"]}, "unknown", None),
    ],
)
def test_overlap_is_of_cited_claims(ana: Turn, ben: Turn, reasons: str, overlap: float | None):
    (row,) = same_vote_rows(played({"ana": ana, "ben": ben}).state)
    assert (row.reasons, row.overlap) == (reasons, overlap)


def test_the_same_claim_in_the_same_words_is_in_common():
    second: dict[str, Turn] = {
        "ana": {"answers": ["cyd.1.1"]},
        "ben": {"claims": (Claim(text="It is cheap", concedes=("cyd.1.1",)),)},
    }
    (row,) = same_vote_rows(played(second).state)
    assert row.common == ("ana.1.1",)


def test_other_votes_and_abstentions_are_no_pair():
    second: dict[str, Turn] = {"ana": {"answers": ["cyd.1.1"]}, "ben": {"answers": ["ana.1.1"]}}
    assert same_vote_rows(played(second, "abc").state) == ()
    assert len(same_vote_rows(played(second, "aaa").state)) == 3


def test_arguments_for_an_earlier_vote_are_no_reasons(monkeypatch: pytest.MonkeyPatch):
    cited: dict[str, Turn] = {"ana": {"concedes": ["cyd.1.1"]}, "ben": {"concedes": ["cyd.1.1"]}}
    (row,) = seen(played(cited)).same_vote
    assert (row.common, row.overlap) == (("cyd.1.1",), 0.3333)
    # What ben claimed in favour of defer does not count among its reasons for adopt.
    monkeypatch.setitem(OPEN, "ben", {**OPEN["ben"], "vote": "defer"})
    (row,) = seen(played(cited)).same_vote
    assert (row.common, row.overlap) == (("cyd.1.1",), 0.5)


def test_people_are_named_like_models():
    second: dict[str, Turn] = {"ana": {"answers": ["cyd.1.1"]}, "ben": {"answers": ["ana.1.1"]}}
    assert same_vote_rows(played(second, occupant="human").state)[0].differs


def test_shared_or_unknown_reasons_change_no_file():
    told = seen(played({"ana": {"answers": ["cyd.1.1"]}, "ben": {"answers": ["cyd.1.1"]}}))
    assert "same_vote" not in run_json(told)
    assert "different_reasons" not in [found.name for found in findings(told.state)]

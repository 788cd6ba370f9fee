"""Seats under other names: what is shown has no ids, what is answered has nothing else, and both are the same words."""

import pytest

from debate_core.engine.seat_names import BY_ID, SeatNames, blind_names
from debate_core.engine.seat_view import view
from debate_core.record.commands import TakeTurn
from debate_core.record.events import dump_record
from debate_core.spec.contents import Argument, Claim, Directive, Evaluation, Mark, Quality, Review
from debate_core.spec.models import ModelLine
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Unanimity
from debate_core.spec.values import Seat
from tests.by_hand import OPEN, small, small_spec
from tests.playing import Played

NAMES = SeatNames({"risk": "seat_a", "cost_hawk": "seat_b", "claude": "seat_c"}, frozenset({"cost_hawk", "claude"}))

BOTH_WAYS = [
    ("risk.1.2", "seat_a.1.2"),
    ("See risk.1.2, (claude.2.10) and cost_hawk.3.1.", "See seat_a.1.2, (seat_c.2.10) and seat_b.3.1."),
    ("2.critique.risk", "2.critique.seat_a"),
    ("2.critique.risk.1 failed", "2.critique.seat_a.1 failed"),
    ("As cost_hawk says, claude agrees.", "As seat_b says, seat_c agrees."),
    ("The risk is small, risk. 1 of 2; brisk.1.2 and risk.1", "The risk is small, risk. 1 of 2; brisk.1.2 and risk.1"),
    ("nobody.1.1", "nobody.1.1"),
]


@pytest.mark.parametrize(("by_id", "by_name"), BOTH_WAYS)
def test_a_text_goes_both_ways(by_id: str, by_name: str) -> None:
    # R105, R106
    assert NAMES.shown(by_id) == by_name
    assert NAMES.real(by_name) == by_id
    assert BY_ID.shown(by_id) == BY_ID.real(by_id) == by_id


def test_names_are_read_in_any_case_and_every_seat_has_its_own() -> None:
    assert NAMES.shown("RISK.1.2 and Claude") == "seat_a.1.2 and seat_c"
    assert NAMES.real(["Seat_A.1.2", " SEAT_B "]) == ["risk.1.2", "cost_hawk"]
    crossed = SeatNames({"seat_b": "seat_a", "seat_a": "seat_b"})
    assert crossed.shown("seat_a.1.1 seat_b.1.1") == "seat_b.1.1 seat_a.1.1"
    assert crossed.real(crossed.shown("seat_a.1.1 seat_b.1.1")) == "seat_a.1.1 seat_b.1.1"


def test_contents_are_shown_without_ids_and_copies_stay() -> None:
    claim = Claim(id="risk.1.1", text="As claude.1.1 says.", source_id="risk", quote="risk.1.1 of the manual")
    argued = Argument(rationale="See cost_hawk.1.2.", claims=(claim,), answers=("claude.1.1",), vote="risk.1.1")
    shown = NAMES.shown(argued)
    assert shown.claims[0] == claim.model_copy(update={"id": "seat_a.1.1", "text": "As seat_c.1.1 says."})
    assert (shown.rationale, shown.answers, shown.vote) == ("See seat_b.1.2.", ("seat_c.1.1",), "risk.1.1")
    assert NAMES.real(shown) == argued
    rated = Evaluation(synthesis="risk is well argued", quality=(Quality(seat="risk", score=7),))
    assert NAMES.shown(rated).quality == (Quality(seat="seat_a", score=7),)
    assert NAMES.shown(rated).synthesis == "risk is well argued"
    led = Directive(reason="why", next_speakers=("risk", "claude"), briefing="Answer risk.1.1.")
    assert NAMES.shown(led).next_speakers == ("seat_a", "seat_c")
    assert NAMES.shown(led).briefing == "Answer seat_a.1.1."
    marks = Review(marks=(Mark(claim_id="risk.1.1", reading="neutral"),))
    assert NAMES.shown(marks).marks[0].claim_id == "seat_a.1.1"
    assert all(NAMES.real(NAMES.shown(content)) == content for content in (rated, led, marks))
    untouched = Argument(rationale="Nothing to change.")
    assert NAMES.shown(untouched) is untouched


def test_a_reply_in_any_form_names_seats_by_their_ids() -> None:
    reply = {"quality": {"seat_a": 7}, "nextSpeakers": ["seat_b"], "claims": [{"text": "x", "answers": ["seat_a.1.1"]}]}
    assert NAMES.real(reply) == {
        "quality": {"risk": 7},
        "nextSpeakers": ["cost_hawk"],
        "claims": [{"text": "x", "answers": ["risk.1.1"]}],
    }


def _spec(question: str = "Which way?") -> Spec:
    seats = [Seat(id=i, model="m1", stance=f"side {i[0]}") for i in ("risk", "claude", "status_quo")]
    seats.append(Seat(id="judge", role="judge", model="m1"))
    spec = compose(question, ["a", "b"], protocol("stance_judge"), seats)
    line = ModelLine(id="m1", model="claude-9-large", provider="local", dialect="chat", family="Vendor")
    return spec.model_copy(update={"models": (line,)})


def test_an_id_is_hidden_in_a_sentence_if_it_can_be_nothing_else() -> None:
    names = blind_names(_spec())
    assert dict(names.names) == {"risk": "seat_a", "claude": "seat_b", "status_quo": "seat_c", "judge": "seat_d"}
    assert names.shown("claude, status_quo, risk") == "seat_b, seat_c, risk"
    assert blind_names(_spec("Should we buy claude?")).shown("Claude is cheap") == "Claude is cheap"


def test_thirty_seats_have_thirty_names() -> None:
    spec = _spec()
    many = spec.model_copy(update={"seats": tuple(Seat(id=f"s{n}") for n in range(60))})
    assert len(set(blind_names(many).names.values())) == 60


def test_answers_to_an_anonymous_view_find_the_right_claims() -> None:
    # R105
    played = Played(_spec())
    for seat, other in (("risk", ""), ("claude", "risk.1.1"), ("status_quo", "claude.1.1")):
        request = played.requests()[0]
        seen = view(played.state, request)
        assert request.seat == seat
        assert seen.names.shown(other) in (*seen.claims, "")
        assert not {"risk.1.1", "claude.1.1"} & set(seen.claims)
        answers = tuple(filter(None, (seen.names.shown(other),)))
        said = Argument(rationale=f"On {answers}.", claims=(Claim(text=f"On {answers}.", answers=answers),))
        played.do(TakeTurn(by=seat, request=request.id, content=seen.names.real(said)))
    assert [claim.answers for claim in played.state.claims.values()] == [(), ("risk.1.1",), ("claude.1.1",)]
    assert "seat_" not in dump_record(played.events)


def test_a_reply_that_failed_is_told_without_ids() -> None:
    played = small(OPEN, decide=Unanimity())
    played.fail("unparseable", "no vote of risk, s0 or s1")
    assert view(played.state, played.requests()[0]).failed_before == "no vote of risk, seat_a or seat_b"


def test_after_z_the_letters_begin_again_with_a_number():
    seats = tuple(Seat(id=f"s{place}", occupant="scripted") for place in range(53))
    names = blind_names(small_spec(OPEN, decide=Unanimity()).model_copy(update={"seats": seats})).names
    assert [names[f"s{place}"] for place in (0, 25, 26, 51, 52)] == [
        "seat_a",
        "seat_z",
        "seat_a2",
        "seat_z2",
        "seat_a3",
    ]

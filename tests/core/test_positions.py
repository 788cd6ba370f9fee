"""Positions for debaters without a side: their assignment, their prompts, and changes by the chair."""

import pytest

from debate_core.engine import engine
from debate_core.engine.schedule import stance_of
from debate_core.engine.seat_view import View, stance_tag, view
from debate_core.engine.validate_content import fault_in_content, read_content
from debate_core.errors import BadReply, InvalidSpec
from debate_core.record.commands import SkipTurn
from debate_core.report.facts.office_turns import evaluation_rows
from debate_core.report.facts.repetition import drift
from debate_core.report.facts.turns import turn_rows
from debate_core.seats.prompts import prompt_for
from debate_core.spec.checks import check
from debate_core.spec.contents import Argument, Framing, Position, Positions
from debate_core.spec.presets import compose, default_seats, protocol
from debate_core.spec.protocol import Phase, Spec
from debate_core.spec.values import Seat
from tests.playing import Played

RULES = protocol("assigned_positions")
SIDES = Positions(
    reason="Two readings of one figure.",
    positions=(
        Position(name="stay", claim="Keep it.", because="it does not fail"),
        Position(name="later", claim="Move next year.", because="the team is small"),
    ),
)
OTHERS = SIDES.model_copy(update={"reason": "The second was no plan.", "positions": SIDES.positions[::-1]})


def spec_of(*, chair: bool = True) -> Spec:
    seats = [
        *(Seat(id=i, commitment="concede_points") for i in ("a", "b")),
        Seat(id="c", stance="move", commitment="concede_points"),
        *(Seat(id=role, role=role) for role in ("assigner", "synthesiser")),
        *([Seat(id="chair", role="chair", occupant="human")] if chair else []),
    ]
    return compose("Which way?", ["move", "stay"], RULES, seats)


def asked(played: Played) -> View:
    return view(played.state, engine.requests(played.state)[0])


def test_a_debater_without_a_side_defends_the_one_of_its_place() -> None:
    # R147, R148
    played = Played(spec_of(chair=False))
    seen = asked(played)
    assert (seen.request.seat, seen.speakers) == ("assigner", ("seat_a", "seat_b"))
    tail = prompt_for(seen).tail
    assert "exactly 2" in tail
    assert "nobody who reads them can tell which you would choose" in tail
    played.say(SIDES)
    state = played.state
    assert [stance_of(state, i) for i in "abc"] == ["stay", "later", "move"]
    assert stance_tag(state, "a") == "stay"
    told = prompt_for(asked(played)).tail
    assert "The side you defend: stay: Keep it; because: it does not fail" in told
    assert "Nobody gave you a side" not in told


@pytest.mark.parametrize(("given", "expected"), [(OTHERS, ["later", "stay"]), (None, ["stay", "later"])])
def test_the_chairs_positions_replace_earlier_ones(given, expected) -> None:
    played = Played(spec_of())
    played.say(SIDES)
    request = engine.requests(played.state)[0]
    assert request.seat == "chair"
    if given is None:
        played.do(SkipTurn(by="chair", request=request.id, reason="approved as it stands"))
    else:
        played.say(given)
    assert [stance_of(played.state, i) for i in "ab"] == expected
    assert [t.content for t in asked(played).turns] == [given or SIDES]


def test_the_chairs_framing_replaces_the_framers() -> None:
    rules = protocol("multi_position")
    seats = [
        *default_seats(rules, "Which way?", ["move", "stay"], "model"),
        Seat(id="chair", role="chair", occupant="human"),
    ]
    played = Played(compose("Which way?", ["move", "stay"], rules, seats))
    played.say(Framing(thesis="It pays."))
    assert [t.content for t in asked(played).turns] == [Framing(thesis="It pays.")]
    played.say(Framing(thesis="It pays within a year."))
    assert [t.content for t in asked(played).turns] == [Framing(thesis="It pays within a year.")]


def test_whoever_fails_to_give_any_leaves_everybody_as_they_came() -> None:
    played = Played(spec_of(chair=False))
    request = engine.requests(played.state)[0]
    played.do(SkipTurn(by="chair", request=request.id, reason="no model"))
    assert [stance_of(played.state, i) for i in "abc"] == ["", "", "move"]
    assert "Nobody gave you a side" in prompt_for(asked(played)).tail


def test_nobody_is_asked_where_all_have_a_side() -> None:
    seats = tuple(s.model_copy(update={"stance": f"side {s.id}"}) for s in spec_of().seats)
    assert Played(spec_of().model_copy(update={"seats": seats})).state.ran == ((1, "opening"),)


def test_leaving_a_given_position_is_drift_and_the_rows_tell_it() -> None:
    # R155
    played = Played(spec_of(chair=False))
    played.say(SIDES)
    played.say(Argument(rationale="I have thought about it. We should move."))
    played.say(Argument(rationale="Next year."))
    played.say(Argument(rationale="We should move."))
    assert (found := drift(played.state)) is not None
    assert found.turns == ("1.opening.a.1",)
    rows = turn_rows(played.state, played.events)
    assert [(r.seat, r.alias, r.stance, r.text) for r in rows[:2]] == [
        ("assigner", "assigner", "", SIDES.reason),
        ("a", "stay", "stay", "I have thought about it. We should move."),
    ]
    assert [(r.section, r.subject, r.text) for r in evaluation_rows(played.state)] == [
        ("reason", "", SIDES.reason),
        ("position", "stay", "Keep it. Because: it does not fail"),
        ("position", "later", "Move next year. Because: the team is small"),
    ]


STAY, LATER = ({"name": n, "claim": "c", "because": "b"} for n in ("stay", "later"))


@pytest.mark.parametrize(
    ("positions", "sentence"),
    [
        ([STAY], "there must be 2 positions, one for each debater without a stance, not 1"),
        ([STAY, {**STAY, "name": " Stay"}], "two positions are called ' Stay': give each its own name"),
        (
            [STAY, {**LATER, "because": " "}],
            "position 2 has no because: each position needs a name, a claim and a reason (because)",
        ),
        ([STAY, {"name": "x", "claim": "consider both sides"}], "positions.positions.1.because: field required"),
        (
            [STAY, {"name": "x", "claim": "Consider both sides", "because": "the load doubled"}],
            "position 2 is weak: its claim 'Consider both sides' takes no side: claim something that can be attacked",
        ),
        (
            [STAY, {"name": "x", "claim": "Move it", "because": "it is fair"}],
            "position 2 is weak: its reason 'it is fair' says nothing that its claim does not: say what it rests on",
        ),
        ([STAY, {"name": "x", "claim": "Move the queue", "because": "the queue should move"}], "position 2 is weak"),
        ([STAY, {"name": "x", "claim": "Weigh the pros and cons", "because": "E1"}], "position 2 is weak"),
    ],
)
def test_a_weak_frame_is_refused_in_one_sentence(positions, sentence) -> None:
    # R148
    with pytest.raises(BadReply) as refused:
        read_content(spec_of(), "positions", {"reason": "r", "positions": positions}, asks_ballot=False)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("because", ["it is cheaper", "E1", "p95", "the team is small", "надёжность"])
def test_a_short_reason_of_its_own_is_a_reason(because: str) -> None:
    # R148
    said = {"positions": [STAY, {"name": "x", "claim": "Move it", "because": because}]}
    assert read_content(spec_of(), "positions", said, asks_ballot=False).kind == "positions"


def test_frames_held_with_other_measures_are_not_measured_again() -> None:
    vague = Position(name="x", claim="Consider both sides", because="it is fair")
    given = Positions(reason="Two readings.", positions=(Position(**STAY), vague))
    assert "is weak" in (fault_in_content(spec_of(), "positions", given) or "")
    assert fault_in_content(spec_of(), "positions", given, is_measured=False) is None


def test_key_evidence_is_what_a_position_rests_on() -> None:
    # R147
    said = [{**{k: STAY[k] for k in ("name", "claim")}, "keyEvidence": ["E1", "E2"]}, {**LATER}]
    read = read_content(spec_of(), "positions", {"positions": said}, asks_ballot=False)
    assert isinstance(read, Positions)
    assert [p.because for p in read.positions] == ["E1; E2", "b"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"before": (Phase(name="p", gives="positions", role="judge"),)}, "only the assigner or the chair can give it"),
        ({"after": (Phase(name="p", gives="positions", role="assigner"),)}, "only a phase before the rounds can"),
    ],
)
def test_a_protocol_that_gives_positions_elsewhere_is_refused(changes, sentence) -> None:
    spec = spec_of()
    with pytest.raises(InvalidSpec, match=sentence):
        check(spec.model_copy(update={"protocol": RULES.model_copy(update=changes)}))

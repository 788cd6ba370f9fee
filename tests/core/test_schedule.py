"""Speaking order, case by case: places, orders, directives, and repeated requests."""

import pytest

from debate_core.engine import engine, idempotency_keys
from debate_core.engine.audit import verify
from debate_core.engine.schedule import speakers
from debate_core.engine.seat_view import view
from debate_core.errors import RuleViolation
from debate_core.record.acts import Compared, Struck
from debate_core.record.commands import Act, FailTurn, SkipTurn, TakeTurn
from debate_core.record.events import Event, make_event, utc_text
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.turns import turn_rows
from debate_core.spec.contents import Argument, Claim, Directive, Mark, Review
from debate_core.spec.presets import EXPERT_PANEL, compose, default_seats
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import MaxRounds, ModeratorDone, Unanimity
from debate_core.spec.values import Seat
from tests.by_hand import GATE, LEAD, TALK, preset_spec, small
from tests.playing import AT, Played

ALL = ("s0", "s1", "s2")


def test_a_refusal_is_not_asked_again_and_a_timeout_is() -> None:
    played = Played(preset_spec(2, threshold=2))
    played.do(FailTurn(by="s0", request="1.proposal.s0.1", error="refused"))
    played.do(FailTurn(by="s1", request="1.proposal.s1.1", error="timeout"))
    assert [r.id for r in engine.requests(played.state)] == ["1.proposal.s1.2"]
    assert played.state.ballots["s0"].status == "abstained"


def test_claims_are_numbered_by_seat_and_round() -> None:
    # R195
    played = Played(preset_spec(2, threshold=2))
    content = Argument(rationale="why", vote="a", claims=(Claim(text="x", id="forged.1.1"), Claim(text="y")))
    for request in ("1.proposal.s0.1", "1.proposal.s1.1"):
        votes = {"vote": "a" if "s0" in request else "b"}
        played.do(TakeTurn(by=request.split(".")[2], request=request, content=content.model_copy(update=votes)))
    played.do(TakeTurn(by="s0", request="1.critique.s0.1", content=content))
    assert sorted(played.state.claims) == ["s0.1.1", "s0.1.2", "s0.1.3", "s0.1.4", "s1.1.1", "s1.1.2"]


def test_the_chair_marks_only_where_the_panel_quoted() -> None:
    seats = [
        *default_seats(EXPERT_PANEL, "adopt the sdk?", ["a", "b"], "offline"),
        Seat(id="anna", role="chair", occupant="human"),
    ]
    played = Played(compose("Q?", ["a", "b"], EXPERT_PANEL, seats))
    first = played.state.spec.debaters()[0].id
    for request in engine.requests(played.state):
        claims = (Claim(text="t", quote="t", source_id="E1"),) if request.seat == first else ()
        content = Argument(rationale="quotes", claims=claims, vote=None)
        played.do(TakeTurn(by=request.seat, request=request.id, content=content))
    (review,) = engine.requests(played.state)
    assert (review.seat, review.gives) == ("anna", "review")
    marks = Review(marks=(Mark(claim_id=f"{first}.1.1", reading="supports", option="a"),))
    played.do(TakeTurn(by="anna", request=review.id, content=marks))
    assert played.state.marks[f"{first}.1.1"].by == "anna"
    assert {r.phase for r in engine.requests(played.state)} == {"critique"}


def _orders(played: Played) -> list[tuple[str, ...]]:
    """Return the speaking order of each phase when every seat always votes for the same option."""
    orders = []
    while engine.requests(played.state):
        held = played.state.open
        assert held is not None
        orders.append(held.speakers)
        played.vote(dict.fromkeys(held.speakers))
    return orders


def test_each_round_the_next_one_starts() -> None:
    # R028
    played = small(Phase(name="talk", starts="rotate"), rounds=4, decide=Unanimity())
    assert _orders(played) == [("s0", "s1", "s2"), ("s1", "s2", "s0"), ("s2", "s0", "s1"), ("s0", "s1", "s2")]


def test_an_order_drawn_by_lot_follows_from_the_seed() -> None:
    # R028
    def drawn(seed: int) -> list[tuple[str, ...]]:
        return _orders(small(Phase(name="talk", starts="drawn"), rounds=4, decide=Unanimity(), seed=seed))

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert all(sorted(order) == [*ALL] for order in drawn(1))
    assert len({*drawn(1)}) > 1


def test_only_the_seats_at_these_places_speak_in_this_order() -> None:
    played = small(Phase(name="talk"), Phase(name="reply", places=(3, 1)), rounds=1, decide=Unanimity())
    assert _orders(played) == [("s0", "s1", "s2"), ("s2", "s0")]


def test_a_moderator_sets_the_speakers_of_this_round_only() -> None:
    # R088, R089, R092
    played = small(LEAD, TALK, Phase(name="last_words"), rounds=2, decide=Unanimity())
    given = Directive(reason="Costs first.", next_speakers=("s2", "s0"), briefing="It costs 4 000.", new_angle="Risk?")
    played.say(given)
    (request,) = engine.requests(played.state)
    seen = view(played.state, request)
    assert (request.id, seen.names.real(seen.directive)) == ("1.talk.s2.1", given)
    played.vote({"s2": "a", "s0": "b"})
    played.vote(dict.fromkeys(ALL))
    assert played.state.ran == ((1, "lead"), (1, "talk"), (1, "last_words"), (2, "lead"))
    assert [t.seat for t in played.state.turns] == ["moderator", "s2", "s0", *ALL]
    (request,) = engine.requests(played.state)
    assert (request.id, view(played.state, request).directive) == ("2.lead.moderator.1", None)


BAD_DIRECTIVES = [
    (Directive(reason="x", next_speakers=("s9",)), "there is no debater 's9': next_speakers can name s0, s1, s2"),
    (Directive(reason="x", next_speakers=("moderator",)), "there is no debater 'moderator'"),
    (Directive(reason="x"), r"next_speakers is empty and done is false: name who speaks \(s0, s1, s2\), or say done"),
    (Directive(reason=" ", done=True), "the reason is empty"),
]


@pytest.mark.parametrize(("given", "why"), BAD_DIRECTIVES)
def test_a_directive_that_breaks_the_rules_is_refused(given: Directive, why: str) -> None:
    # R095, R096
    played = small(LEAD, TALK, decide=Unanimity())
    with pytest.raises(RuleViolation, match=why):
        played.say(given)
    assert played.asked() == ["1.lead.moderator.1"]


TWICE = Directive(reason="x", next_speakers=("s2", "s0", "s2", "s0"))


def test_who_is_named_again_speaks_again() -> None:
    # R097: a turn for each occurrence
    played = small(LEAD, TALK, decide=Unanimity(), attempts=2)
    played.say(TWICE)
    asked = []
    for vote in ("a", "b", "c", "b"):
        asked += played.asked()
        played.say(Argument(rationale="why", vote=vote, claims=(Claim(text=f"It is {vote}."),)))
    assert asked == ["1.talk.s2.1", "1.talk.s0.1", "1.talk.s2~2.1", "1.talk.s0~2.1"]
    assert [t.place() for t in played.state.turns[1:]] == ["1.talk.s2", "1.talk.s0", "1.talk.s2~2", "1.talk.s0~2"]
    assert [*played.state.claims] == ["s2.1.1", "s0.1.1", "s2.1.2", "s0.1.2"]
    # The last word of each counts, once.
    assert (played.state.ballots["s2"].choice, played.state.counted[-1].tally.cast) == ("c", 2)
    assert verify(played.events) == ()
    assert [t.place() for t in replay(played.events).turns] == [t.place() for t in played.state.turns]


def test_a_second_turn_can_be_struck_and_compared_by_its_address() -> None:
    played = small(LEAD, TALK, decide=Unanimity())
    played.say(TWICE)
    for _ in range(4):
        played.say("a")
    played.do(Act(by="june", act=Compared(a="1.talk.s2", b="1.talk.s2~2", winner="b")))
    played.do(Act(by="anna", act=Struck(turn="1.talk.s2~2", reason="an insult")))
    assert [t.place() for t in played.state.turns if t.status == "struck"] == ["1.talk.s2~2"]
    assert verify(played.events) == ()


def test_a_second_turn_fails_and_is_asked_again_by_itself() -> None:
    played = small(LEAD, TALK, decide=Unanimity(), attempts=2)
    played.say(Directive(reason="x", next_speakers=("s2", "s2")))
    played.say("a")
    assert view(played.state, played.requests()[0]).turns[-1].own
    played.fail("unparseable", "it names no option")
    assert played.asked() == ["1.talk.s2~2.2"]
    assert view(played.state, played.requests()[0]).failed_before == "it names no option"
    played.fail("unparseable")
    assert [(t.place(), t.status) for t in played.state.turns[1:3]] == [
        ("1.talk.s2", "ok"),
        ("1.talk.s2~2", "unparseable"),
    ]
    rows = turn_rows(played.state, played.events)
    assert [(row.status, len(row.failures)) for row in rows[1:3]] == [("ok", 0), ("unparseable", 1)]
    assert verify(played.events) == ()


def test_who_is_named_again_where_all_speak_at_once_has_one_turn() -> None:
    played = small(LEAD, TALK.model_copy(update={"order": "at_once"}), decide=Unanimity())
    played.say(TWICE)
    assert played.asked() == ["1.talk.s2.1", "1.talk.s0.1"]


def test_nobody_is_named_more_than_three_times() -> None:
    played = small(LEAD, TALK, decide=Unanimity())
    with pytest.raises(RuleViolation, match="next_speakers names s2 4 times: at most 3 turns per debater and round"):
        played.say(Directive(reason="x", next_speakers=("s2",) * 4))
    played.say(Directive(reason="x", next_speakers=("s2",) * 3))


def _settled(state: State) -> list[Event]:
    """The first phase of a debate that was only opened."""
    body = engine.due(state)
    assert body is not None
    key = idempotency_keys.key_of(state, body)
    return [make_event(state.debate, state.version + 1, state.head, utc_text(AT), "engine", key, body)]


def test_after_its_attempts_a_moderator_hands_over_to_the_chair() -> None:
    played = small(LEAD, GATE, TALK, decide=Unanimity())
    played.fail("unparseable", "there is no debater 's9'")
    (again,) = engine.requests(played.state)
    assert (again.id, view(played.state, again).failed_before) == ("1.lead.moderator.2", "there is no debater 's9'")
    played.fail("unparseable")
    assert played.asked() == ["1.gate.chair.1"]
    played.say(Directive(reason="I lead.", next_speakers=("s1",)))
    assert played.asked() == ["1.talk.s1.1"]


def test_a_person_can_give_the_directive_that_a_moderator_owes() -> None:
    played = small(LEAD, TALK, decide=Unanimity())
    played.fail("unparseable")
    content = Directive(reason="I lead.", next_speakers=("s1",))
    played.do(TakeTurn(by="anna", request="1.lead.moderator.2", content=content))
    assert played.asked() == ["1.talk.s1.1"]


def test_without_any_directive_everybody_speaks() -> None:
    # R093: neither a moderator who fails nor an empty seat silences anybody
    failed = small(LEAD, TALK, decide=Unanimity(), attempts=1)
    failed.fail()
    empty = small(LEAD, TALK, decide=Unanimity(), absent="moderator")
    for played in (failed, empty):
        assert played.state.open is not None
        assert played.state.open.speakers == ALL


def test_a_chair_replaces_the_moderator_only_by_writing() -> None:
    played = small(LEAD, GATE, TALK, decide=Unanimity(), stop=(ModeratorDone(), MaxRounds()))
    played.say(Directive(reason="First.", next_speakers=("s0",)))
    played.do(SkipTurn(by="chair", request="1.gate.chair.1", reason="agreed"))
    played.vote({"s0": "a"})
    played.say(Directive(reason="Second.", next_speakers=("s0",)))
    played.say(Directive(reason="No: s1 first.", next_speakers=("s1", "s0")))
    assert played.state.open is not None
    assert played.state.open.speakers == ("s1", "s0")


@pytest.mark.parametrize("starts", ["declared", "rotate", "drawn"])
def test_where_nobody_holds_the_role_nobody_speaks(starts) -> None:
    played = small(TALK.model_copy(update={"directed": False}), decide=Unanimity())
    assert speakers(played.state, Phase(name="rule", gives="verdict", role="judge", starts=starts), 2) == ()


def test_a_turn_is_revealed_when_given_or_with_its_phase() -> None:
    at_once, in_turn = TALK.model_copy(update={"name": "open", "order": "at_once", "directed": False}), TALK
    played = small(at_once, in_turn.model_copy(update={"directed": False}), n=2, rounds=1, decide=Unanimity())
    played.tick_s = 60
    for vote in "aba":
        played.say(vote)
    rows = turn_rows(played.state, played.events)
    assert [row.revealed_at == row.submitted_at for row in rows] == [False, True, True]
    assert rows[0].revealed_at == rows[1].submitted_at > rows[0].submitted_at

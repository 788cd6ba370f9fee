"""The three presets are what their sources say, and the persona selector is deterministic and mixed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine import engine
from debate_core.engine.seat_view import stance_tag, view
from debate_core.engine.voting import first_is_blind
from debate_core.errors import InvalidSpec
from debate_core.record.commands import TakeTurn
from debate_core.spec import presets
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.protocol import asks_ballot
from debate_core.spec.values import Seat, Source
from tests.playing import Played

QUESTIONS = st.text(max_size=200)


@given(QUESTIONS, st.integers(1, len(presets.PERSONAS)))
def test_the_panel_has_a_sceptic_or_pragmatist_every_time(question: str, n: int) -> None:
    # R191, R196, R201
    panel = presets.roles_for_question(question, n)
    assert panel == presets.roles_for_question(question, n)
    assert len(set(panel)) == n
    assert any(presets.PERSONAS[p][0] in ("sceptic", "pragmatist") for p in panel)


def test_the_panel_follows_the_question() -> None:
    # R191, R196
    assert "database_expert" in presets.roles_for_question("Should we migrate from Postgres to DynamoDB?")
    assert "cost_analyst" in presets.roles_for_question("Build or buy the billing system, given our budget?")


@pytest.mark.parametrize("n", [0, -1, 99])
def test_a_panel_of_no_or_too_many_seats_is_refused(n: int) -> None:
    with pytest.raises(InvalidSpec, match="panel size must be 1 to"):
        presets.roles_for_question("Q?", n)


ROUNDS = [("bounded_vote", (2, 4, 8)), ("expert_panel", (2, 4, 6)), ("deliberation", (3, 4, 6))]


@pytest.mark.parametrize(("name", "rounds"), ROUNDS)
def test_rounds_of_the_presets(name: str, rounds: tuple[int, int, int]) -> None:
    # R136, and of R199 the rounds: no model is a default
    found = presets.protocol(name).rounds
    assert (found.default, found.warn_above, found.hard_max) == rounds


def test_an_unknown_protocol_lists_the_known_ones() -> None:
    with pytest.raises(InvalidSpec, match="bounded_vote, checked_answers, co_scientist, deliberation, expert_panel"):
        presets.protocol("theatre")


def test_bounded_vote_asks_ballots_and_begins_blind() -> None:
    # R025, R034, R039
    debaters = [p for p in presets.BOUNDED_VOTE.each_round if p.role == "debater"]
    assert [p.name for p in debaters] == ["proposal", "critique", "revision", "consensus"]
    assert all(asks_ballot(presets.BOUNDED_VOTE, p) for p in debaters)
    assert first_is_blind(presets.BOUNDED_VOTE)
    assert first_is_blind(presets.EXPERT_PANEL)


def test_deliberation_counts_no_votes() -> None:
    # R143
    assert not any(asks_ballot(presets.DELIBERATION, p) for p in presets.DELIBERATION.phases())
    assert not first_is_blind(presets.DELIBERATION)


def test_a_threshold_for_a_protocol_without_one_is_refused() -> None:
    with pytest.raises(InvalidSpec, match="expert_panel has no threshold"):
        presets.with_threshold(presets.EXPERT_PANEL, 2)


def test_deliberation_needs_exactly_one_synthesiser() -> None:
    # R151
    seats = [Seat(id="a", stance="for"), Seat(id="b", stance="against")]
    with pytest.raises(InvalidSpec, match="seat exactly one"):
        presets.compose("Q?", ["x", "y"], presets.DELIBERATION, seats)


def test_later_rounds_carry_the_opponents_last_move() -> None:
    # R130, R150, R153, R105: every argument as it was given, under stance tags, never names or models
    seats = [
        Seat(id="anna", stance="migrate", model="model-one"),
        Seat(id="bert", stance="stay", model="model-two"),
        presets.synthesiser("human"),
    ]
    played = Played(presets.compose("Q?", ["migrate", "stay"], presets.DELIBERATION, seats))
    for request in engine.requests(played.state):
        assert view(played.state, request).turns == ()
        content = Argument(rationale=f"{request.seat} opens", claims=(Claim(text="point"),))
        played.do(TakeTurn(by=request.seat, request=request.id, content=content))
    seen = view(played.state, engine.requests(played.state)[0])
    assert [(t.speaker, t.own, t.content.kind) for t in seen.turns] == [
        ("migrate", True, "argument"),
        ("stay", False, "argument"),
    ]
    given = [turn.content for turn in played.state.turns]
    assert [t.content for t in seen.turns] == seen.names.shown(given)
    assert [t.content for t in seen.turns] != given
    assert set(seen.claims) == {"seat_a.1.1", "seat_b.1.1"}
    assert "model-one" not in repr(seen.turns)


def test_a_seat_without_a_stance_is_a_letter_to_others() -> None:
    played = Played(presets.compose("Q?", ["x", "y"], presets.BOUNDED_VOTE, [Seat(id="anna"), Seat(id="bert")]))
    assert [stance_tag(played.state, s) for s in ("anna", "bert")] == ["side A", "side B"]


def test_sources_of_later_rounds_are_not_shown_early() -> None:
    # R275
    sources = [Source(id="E1", title="now", text="x"), Source(id="E2", title="later", text="y", from_round=2)]
    seats = [Seat(id="anna"), Seat(id="bert")]
    spec = presets.compose("Q?", ["x", "y"], presets.BOUNDED_VOTE, seats, sources=sources)
    played = Played(spec)
    assert [s.id for s in view(played.state, engine.requests(played.state)[0]).sources] == ["E1"]

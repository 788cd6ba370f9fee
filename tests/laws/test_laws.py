"""The laws of the engine over random protocols and random legal play."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from debate_core.engine import audit, engine, limits, schedule, stopping, voting
from debate_core.engine.seat_view import hidden_seats
from debate_core.errors import RuleViolation
from debate_core.record.commands import AnyCommand, SetMark, TakeTurn
from debate_core.record.events import AttemptStarted, Closed, Marked, PhaseBegan, dump_record, parse_record
from debate_core.record.fold import apply, replay
from debate_core.record.state import State, replace
from debate_core.report.facts.counts import debaters_count, what_if
from debate_core.report.facts.ruling import agreement
from debate_core.spec.contents import (
    Argument,
    Directive,
    Evaluation,
    Framing,
    Mark,
    Position,
    Positions,
    Review,
    Synthesis,
    Verdict,
)
from debate_core.spec.presets import PROTOCOLS
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import BySeat, CountedRule, Simple, ballot_kind, parts_of, quorum_of
from debate_core.spec.values import Outcome
from tests.examples import examples
from tests.laws.play import SPECS, play, play_by_slot, random_spec
from tests.playing import AT, Played
from tests.silence import below_quorum, over_silence, silent_sides

SEEDS = st.integers(0, 10**9)
THRICE = examples(300)
LAWS: list[Callable[[Spec, Played], None]] = []


def law(keeps: Callable[[Spec, Played], None]) -> Callable[[Spec, Played], None]:
    """Add to what every debate of a test is checked for."""
    LAWS.append(keeps)
    return keeps


def test_every_preset_and_every_stop_rule_is_played() -> None:
    names, stops = {*PROTOCOLS, "random"}, {*get_args(Simple)}
    for spec in filter(None, map(random_spec, range(4000))):
        names.discard(spec.protocol.name)
        if spec.protocol.name == "random":
            stops.difference_update(type(part) for rule in spec.protocol.stop for part in parts_of(rule))
        if not names and not stops:
            break
    assert (names, stops) == (set(), set())


@given(SPECS, SEEDS)
@THRICE
def test_a_debate_is_over_exactly_when_nothing_is_asked(spec: Spec, seed: int) -> None:
    # law 1, R036, R060, R170
    played = play(spec, seed)
    states = _states(played)
    for state in states:
        settled = engine.due(state) is None
        assert not settled or (engine.requests(state) == ()) == (state.outcome is not None)
    speakers = len(spec.seats)
    bound = len(played.state.slots) * speakers * spec.protocol.attempts
    answered = [e for e in played.events if e.kind in ("turn_taken", "turn_failed", "turn_skipped")]
    assert played.state.outcome is not None
    assert len(answered) <= bound
    assert played.state.outcome.rounds_run <= spec.max_rounds


@lru_cache(maxsize=1)
def _states(played: Played) -> list[State]:
    """The state after each event of a debate that is over; several laws read the states of the latest one."""
    states: list[State] = []
    for event in played.events:
        states.append(apply(states[-1] if states else None, event))
    return states


@given(SPECS, SEEDS, SEEDS, SEEDS)
def test_arrival_order_in_an_at_once_phase_changes_nothing(spec: Spec, one: int, two: int, contents: int) -> None:
    # law 4, R025
    first, second = play_by_slot(spec, one, contents), play_by_slot(spec, two, contents)
    assert first.seen == second.seen
    assert first.state.outcome == second.state.outcome
    assert [(t.request, t.status, t.content) for t in first.state.turns] == [
        (t.request, t.status, t.content) for t in second.state.turns
    ]
    assert [c.tally for c in first.state.counted] == [c.tally for c in second.state.counted]


def _renamed(spec: Spec) -> tuple[Spec, dict[str, str]]:
    names = {o: f"new {i}" for i, o in enumerate(reversed(spec.options))}
    # A lot is drawn by the places of the options: then the places stay.
    lot = "lot" in getattr(spec.protocol.decide, "tie", ())
    options = tuple(names[o] for o in spec.options) if lot else tuple(sorted(names.values()))
    return spec.model_copy(update={"options": options}), names


@given(SPECS, SEEDS)
def test_renaming_and_permuting_options_permutes_the_result(spec: Spec, seed: int) -> None:
    # law 5 (neutrality). In a tournament who meets whom is drawn by lot from the names.
    assume(not spec.protocol.paired)
    played = play(spec, seed, asides=False)
    other_spec, names = _renamed(spec)
    other = Played(other_spec)
    for command in played.commands:
        other.do(_with_options(command, names))
    assert _renamed_outcome(played.state.outcome, names) == other.state.outcome


def _with_options(command, names: dict[str, str]):
    if not isinstance(command, TakeTurn):
        return command
    content = command.content
    if isinstance(content, Argument):
        given = tuple(g.model_copy(update={"option": names[g.option]}) for g in content.ballot)
        content = content.model_copy(update={"vote": names.get(content.vote or "", content.vote), "ballot": given})
    elif isinstance(content, Synthesis | Verdict):
        content = content.model_copy(update={"option": names.get(content.option or "", content.option)})
    elif isinstance(content, Review):
        marks = tuple(m.model_copy(update={"option": names.get(m.option or "")}) for m in content.marks)
        content = content.model_copy(update={"marks": marks})
    return command.model_copy(update={"content": content})


def _renamed_outcome(outcome: Outcome | None, names: dict[str, str]) -> Outcome:
    assert outcome is not None
    counts = tuple(c.model_copy(update={"option": names[c.option]}) for c in outcome.tally.counts)
    return outcome.model_copy(
        update={
            "decision": names.get(outcome.decision, outcome.decision),
            "tally": outcome.tally.model_copy(update={"counts": counts}),
            "ties": tuple(sorted(names[o] for o in outcome.ties)),
            "steps": tuple(
                s.model_copy(update={"left": tuple(sorted(names[o] for o in s.left))}) for s in outcome.steps
            ),
        }
    )


@given(SPECS, SEEDS)
def test_an_outage_of_everybody_is_never_a_verdict(spec: Spec, seed: int) -> None:
    # R036: failed turns are no ballots, and nothing more is asked
    played = play(spec, seed, faults=1.0, asides=False)
    outcome = played.state.outcome
    assert outcome is not None
    assert outcome.status == ("truncated" if played.state.truncated else "undecided")
    assert outcome.tally.cast == 0
    closing = [t for t in played.state.turns if t.phase in {p.name for p in spec.protocol.after}]
    assert closing == [] or outcome.ended_by not in stopping.OUTAGES


@given(SPECS, SEEDS)
@THRICE
def test_no_rule_and_no_order_of_failures_decides_over_silence(spec: Spec, seed: int) -> None:
    # R036, R224: below the quorum, or with a side that was not heard, nothing is decided
    rng = Random(f"outages {seed}")
    dead = rng.sample([s.id for s in spec.seats], k=rng.randint(0, min(3, len(spec.seats))))
    played = play(spec, seed, faults=rng.choice((0.1, 0.4, 0.7)), asides=rng.random() < 0.5, dead=dead)
    outcome = played.state.outcome
    assert outcome is not None
    assert not over_silence(played.state)
    if isinstance(spec.protocol.decide, BySeat):
        silent = silent_sides(played.state)
        if silent and outcome.status == "undecided" and outcome.ended_by not in stopping.OUTAGES:
            assert (outcome.ended_by, [side.seats for side in outcome.unheard]) == ("side_unheard", silent)
    if outcome.ended_by == "quorum":
        assert below_quorum(played.state)
        assert agreement(played.state) == ("too_few_ballots" if outcome.tally.cast else "no_ballots")
    assert audit.verify(played.events) == ()


@law
def replay_reaches_the_live_state_and_survives_export(spec: Spec, played: Played) -> None:
    # law 2, R021, R022, R081
    assert audit.verify(played.events) == ()
    assert replay(played.events) == played.state
    assert parse_record(dump_record(played.events).encode()) == tuple(played.events)


@law
def no_attempt_is_begun_beyond_a_bound(spec: Spec, played: Played) -> None:
    # R225, R248, R294
    bound = spec.ceiling()
    for event, state in zip(played.events[1:], _states(played), strict=False):
        if isinstance(event.body, AttemptStarted) and event.body.reserved is not None and bound is not None:
            after = limits.total((limits.spent(state), event.body.reserved))
            assert bound.calls is None or after.calls <= bound.calls
            assert bound.tokens is None or after.input_tokens + after.output_tokens <= bound.tokens
            assert bound.usd is None or (after.cost_usd is not None and Fraction(after.cost_usd) <= Fraction(bound.usd))


@law
def the_same_commands_give_the_same_events(spec: Spec, played: Played) -> None:
    # law 2
    again = Played(spec, "another-debate")
    for command in played.commands:
        submitted, known = engine.submit(again.state, command, at=AT), len(again.events)
        again.do(command)
        assert again.events[known:] == [*submitted]
    assert [(e.kind, e.key, e.body_json) for e in again.events] == [(e.kind, e.key, e.body_json) for e in played.events]


@law
def a_refused_command_changes_nothing(spec: Spec, played: Played) -> None:
    # law 3
    states = _states(played)
    state = Random(played.state.version).choice([s for s in states if engine.due(s) is None])
    before = (state.version, state.head, engine.requests(state))
    bad: list[AnyCommand] = [
        TakeTurn(by="x", request="9.nowhere.s0.1", content=Argument(rationale="y")),
        TakeTurn(by="x", request="nonsense", content=Argument(rationale="y")),
        SetMark(by="x", mark=Mark(claim_id="no.such.claim", reading="neutral")),
    ]
    contents = (
        Argument(rationale="y", vote="not an option"),
        Directive(reason="y"),
        Directive(reason="y", next_speakers=("nobody",)),
        Directive(reason="y", redo=True, done=True),
        Positions(reason="y", positions=(Position(name="x", claim=" ", because="y"),)),
        Verdict(reasoning="y", option="not an option"),
        Evaluation(synthesis=" "),
        Framing(thesis=" "),
    )
    bad += [TakeTurn(by=r.seat, request=r.id, content=c) for r in engine.requests(state) for c in contents]
    for command in bad:
        with pytest.raises(RuleViolation):
            engine.submit(state, command, at=AT)
    assert (state.version, state.head, engine.requests(state)) == before


@law
def no_seat_sees_a_turn_of_its_own_at_once_phase(spec: Spec, played: Played) -> None:
    # law 4
    for view in played.seen.values():
        if view.phase.order == "at_once":
            own_phase = [(t.round, t.phase) for t in view.turns]
            assert (view.request.round, view.request.phase) not in own_phase


@law
def a_decision_is_counted_or_made_by_the_named_seat(spec: Spec, played: Played) -> None:
    # law 5, R055, R062
    state = played.state
    outcome = state.outcome
    assert outcome is not None
    if outcome.status == "decided":
        elected, found = voting.elected(state)
        assert elected == (outcome.decision,)
        assert outcome.decision in spec.options
        assert outcome.steps == (found.steps if found else ())
        assert voting.winners(state) == elected or outcome.steps[-1].left == elected
        assert found is None or found.needed is None or found.points[outcome.decision] >= found.needed
        rule = spec.protocol.decide
        assert not isinstance(rule, CountedRule) or outcome.tally.cast >= quorum_of(rule, len(spec.debaters()))
    else:
        assert outcome.decided_by is None
        assert outcome.decision == "escalate"
    one = ballot_kind(spec.protocol.decide) == "one"
    assert sum(c.votes for c in outcome.tally.counts) == (outcome.tally.cast if one else 0)
    assert outcome.tally.cast <= outcome.tally.eligible
    assert outcome.tally.eligible == len(spec.debaters())


@law
def recounting_the_ballots_gives_the_recorded_outcome(spec: Spec, played: Played) -> None:
    # law 5: quorum, base, ladder and ballots in a row are part of a count, so nobody can count without them
    state = played.state
    outcome = state.outcome
    count = debaters_count(state)
    if outcome is None or count is None:
        return
    result = count.under(count.rule).result()
    if outcome.status == "decided":
        assert result.winners == (outcome.decision,)
        assert result.steps == outcome.steps
    if outcome.status == "undecided" and outcome.ended_by not in stopping.OUTAGES:
        assert len(result.winners) != 1
        assert (result.ties, result.steps) == (outcome.ties, outcome.steps)
    assert what_if(count)[0].winners == result.winners
    assert count.without([]).weighing(count.voters()) == count


@law
def permuting_voters_changes_no_winner(spec: Spec, played: Played) -> None:
    # law 5 (anonymity)
    state = played.state
    for counted in state.counted:
        seats = list(counted.ballots)
        one = voting.tally_of(counted.ballots, seats)
        other = voting.tally_of(counted.ballots, seats[::-1])
        assert one.as_dict() == other.as_dict()
        rule = spec.protocol.decide
        assert set(voting.most(one)) == set(voting.most(other))
        if not isinstance(rule, BySeat):
            count = voting.count_of(state, counted.ballots)
            assert count is not None
            assert count.result_with(count.ballots[::-1]) == count.result()


@law
def nothing_of_the_flow_follows_the_one_close(spec: Spec, played: Played) -> None:
    # law 7
    played = played.copy()
    for claim in list(played.state.claims)[:1]:
        played.do(SetMark(by="anna", mark=Mark(claim_id=claim, reading="neutral")))
    closes = [i for i, e in enumerate(played.events) if isinstance(e.body, Closed)]
    assert len(closes) == 1
    assert all(isinstance(e.body, Marked) for e in played.events[closes[0] + 1 :])
    assert audit.verify(played.events) == ()


@law
def a_pending_respondent_sees_nothing_of_an_open_phase(spec: Spec, played: Played) -> None:
    for state in _states(played):
        held = state.open
        if held is None or held.slot.phase.order != "at_once":
            assert hidden_seats(state, {"s0"}) == frozenset()
            continue
        for seat in held.waiting():
            # Several people may compare for one seat: the answers of its other people are hidden too.
            own = set() if held.slot.phase.paired else {seat}
            assert hidden_seats(state, {seat}) == frozenset(held.speakers) - own
        assert bool(hidden_seats(state, ())) == (held.slot.phase.sealed and len(held.speakers) > 0)


@law
def stop_rules_of_a_round_read_the_whole_state(spec: Spec, played: Played) -> None:
    """Leaving the closing phases out changes nothing before they begin, so that it is skipped there."""
    for state in _states(played):
        if state.open is None and state.position >= 0 and state.slots[state.position].section == "round":
            assert stopping._without_closing(state) == state


@law
def a_directive_steers_only_directed_phases_of_its_round(spec: Spec, played: Played) -> None:
    # law 6, R089, R092. Whom a tournament asks follows from what was compared.
    if spec.protocol.paired:
        return
    for event, state in zip(played.events[1:], _states(played), strict=False):
        if isinstance(event.body, PhaseBegan):
            number, phase = event.body.round, state.phase(event.body.phase)
            kept = [t for t in state.turns if not isinstance(t.content, Directive)]
            if phase.directed or phase.after_redo:
                kept = [t for t in state.turns if t in kept or t.round == number]
            assert event.body.speakers == schedule.speakers(replace(state, turns=tuple(kept)), phase, number)


@law
def a_returned_directive_steers_nothing_and_is_redone_once(spec: Spec, played: Played) -> None:
    # R290
    state = played.state
    for number in range(1, state.current_round() + 1):
        given = [t for t in state.turns if t.round == number and isinstance(t.content, Directive)]
        back = [t for t in given if isinstance(t.content, Directive) and t.content.redo]
        again = [t.phase for t in state.turns if t.round == number and state.phase(t.phase).after_redo]
        assert len({t.phase for t in back}) <= 1
        assert bool(again) <= bool(back)
        assert schedule.directive_of(state, number) == (given[-1].content if given and given[-1] not in back else None)


@law
def a_debater_without_a_side_defends_the_last_one_given(spec: Spec, played: Played) -> None:
    # R147, R178
    for state in _states(played):
        given = [t.content for t in state.turns if isinstance(t.content, Positions)]
        names = iter([p.name for p in given[-1].positions] if given else [""] * len(spec.seats))
        for seat in spec.debaters():
            assert schedule.stance_of(state, seat.id) == (seat.stance or next(names))


@law
def a_seat_sees_its_rounds_directive_and_no_open_phase(spec: Spec, played: Played) -> None:
    # laws 4 and 6, R092
    for request, seen in played.seen.items():
        if seen.directive is None:
            continue
        number, phase, _, _ = seen.directive.reason.split(".")
        assert int(number) == seen.request.round, request
        assert phase != seen.request.phase, request


@law
def closing_turns_do_not_change_why_the_rounds_ended(spec: Spec, played: Played) -> None:
    events, closing = played.events, {p.name for p in spec.protocol.after}
    first = next((i for i, e in enumerate(events) if isinstance(e.body, PhaseBegan) and e.body.phase in closing), None)
    outcome = replay(events).outcome
    if first is None or outcome is None or outcome.status in ("aborted", "truncated"):
        return
    bound = [name for name in outcome.fired if name.startswith("ceiling_")]
    expected = stopping.fired(replay(events[:first])) or (stopping.MAX_ROUNDS,)
    assert [*outcome.fired] == [*expected, *bound]


@examples(120)
@given(SPECS, SEEDS)
def test_every_debate_keeps_every_law(spec: Spec, seed: int) -> None:
    played = play(spec, seed)
    for keeps in LAWS:
        keeps(spec, played)

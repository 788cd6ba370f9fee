"""Comparisons of a tournament as short debates: what the rules allow, and the debate of one pair."""

import json
from collections.abc import Iterator

import pytest

from debate_core import verify
from debate_core.engine import limits
from debate_core.errors import InvalidSpec, RuleViolation
from debate_core.host import runner
from debate_core.host.access.reading import OPERATOR, STRANGER, Looker
from debate_core.host.daily_budget import DailyBudget, DayLimit
from debate_core.host.erasure import Wish, erase_name
from debate_core.host.fillers import Access
from debate_core.host.host import Host, HostOptions
from debate_core.host.matches import match_id, matches_of, stop_matches
from debate_core.host.signatures import Signatures
from debate_core.host.stores import Store
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.commands import Pause, Resume, Stop, TakeTurn
from debate_core.record.events import dump_record
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.tournament import match_rows
from debate_core.spec.contents import Verdict
from debate_core.spec.models import ModelLine
from debate_core.spec.people import Person, Room
from debate_core.spec.presets import PROTOCOLS, compose
from debate_core.spec.presets.matches import JUDGE, SIDES, match_spec
from debate_core.spec.protocol import Protocol, Spec
from debate_core.spec.rules import Tournament
from debate_core.spec.values import MatchOf, Occupant, Seat
from tests.model_server import ModelServer
from tests.playing import Played
from tests.waiting import until


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


OPTIONS = ("brick", "timber", "steel", "clay")
DIRECT = PROTOCOLS["tournament"]
DEBATED = DIRECT.model_copy(update={"decide": Tournament(top=2, at_limit="applies", matches="debate")})
LINES = [ModelLine(id=f"line_{n}", provider="openai", model=f"model-{n}", dialect="chat") for n in (1, 2, 3)]


def tournament(rules: Protocol = DEBATED, occupant: Occupant = "model") -> Spec:
    models = LINES if occupant == "model" else []
    seats = [Seat(id=f"r{n}", occupant=occupant, model=f"line_{n}" if models else "") for n in (1, 2, 3)]
    return compose("Which one?", OPTIONS, rules, seats, models=models, max_rounds=2)


def verdict(played: Played, match: str | None) -> TakeTurn:
    request = played.requests()[0]
    option = played.state.compared[request.turn()][0]
    content = Verdict(reasoning="It is.", option=option)
    return TakeTurn(by=request.seat, request=request.id, content=content, match=match)


def test_a_comparison_by_debate_names_its_match():
    played = Played(tournament())
    with pytest.raises(RuleViolation, match="compared in a debate, which is missing"):
        played.do(verdict(played, None))
    played.do(verdict(played, "match-1"))
    assert [turn.match for turn in played.state.all_turns()] == ["match-1"]
    assert verify(played.events) == ()


def test_a_direct_comparison_names_no_match():
    played = Played(tournament(DIRECT))
    with pytest.raises(RuleViolation, match="no pair is compared in a debate here"):
        played.do(verdict(played, "match-1"))
    played.do(verdict(played, None))
    text = dump_record(played.events)
    assert '"match"' not in text
    assert '"matches"' not in text


@pytest.mark.parametrize("occupant", ["human", "offline", "scripted"])
def test_only_models_compare_by_debate(occupant: Occupant):
    with pytest.raises(InvalidSpec, match="only models compare pairs in a short debate: seat models as r1, r2, r3"):
        tournament(occupant=occupant)


def test_a_judge_argues_for_no_side_of_its_match():
    spec = match_spec(tournament(), ("steel", "clay"), "r3", 1)
    by_id = {seat.id: seat for seat in spec.seats}
    assert [(by_id[side].stance, by_id[side].model) for side in SIDES] == [("steel", "line_1"), ("clay", "line_1")]
    assert (by_id[JUDGE].role, by_id[JUDGE].model, by_id[JUDGE].stance) == ("judge", "line_3", "")
    assert spec.options == ("steel", "clay")
    assert Played(spec).requests()


def debated_by_models(server: ModelServer) -> Spec:
    url = server.base_url("chat")
    lines = [line.model_copy(update={"base_url": url, "parallel": 8}) for line in LINES]
    return tournament().model_copy(update={"models": tuple(lines)})


def matches_in(store: Store, host: Host, debate: str) -> list[State]:
    return [replay(events) for events in matches_of(store, host.state(debate))]


def test_a_stopped_tournament_stops_its_matches(server: ModelServer):
    server.reset(latency_s=20)
    store = MemoryStore()
    host = Host(store, HostOptions(access=Access(base_urls=(server.base_url("chat"),))))
    try:
        debate = host.create(debated_by_models(server), by="tests")
        until(lambda: len(server.log) == 4)
        assert [row.id for row in host.debates()] == [debate]
        host.submit(debate, Stop(by="tests", reason="enough"))
        until(lambda: all(match.outcome for match in matches_in(store, host, debate)))
        stopped = matches_in(store, host, debate)
        assert [match.outcome and match.outcome.status for match in stopped] == ["aborted", "aborted"]
        assert len(server.log) == 4
    finally:
        host.close()


def test_a_day_counts_the_calls_of_matches_once(server: ModelServer):
    server.reset()
    store = MemoryStore()
    budget = DailyBudget(store, clock=runner.now, limit=DayLimit(calls=100))
    host = Host(store, HostOptions(access=Access(base_urls=(server.base_url("chat"),)), budget=budget))
    try:
        debate = host.create(debated_by_models(server), by="tests")
        until(lambda: host.state(debate).outcome)
        (spent,) = store.notes("spent").values()
        assert json.loads(spent)["calls"] == len(server.log) == 20
    finally:
        host.close()


def test_a_restart_continues_a_match_and_pays_no_call_twice(server: ModelServer):
    server.reset(latency_s=0.2)
    store = MemoryStore()
    options = HostOptions(access=Access(base_urls=(server.base_url("chat"),)), drain_s=10)
    first = Host(store, options)
    debate = first.create(debated_by_models(server), by="tests")
    until(lambda: len(server.log) >= 6)
    first.close()
    second = Host(store, options).start()
    try:
        until(lambda: second.state(debate).outcome)
        rows = match_rows(second.state(debate))
        assert [row.round for row in rows] == [1, 1, 2, 2]
        assert len(server.log) == 20
        assert limits.spent(second.state(debate)).calls == 20
    finally:
        second.close()


def test_a_stop_at_the_terminal_stops_open_matches():
    played = Played(tournament())
    store = MemoryStore()
    turn = played.requests()[0].turn()
    spec = match_spec(tournament(), played.state.compared[turn], turn.seat, turn.round)
    match = Played(spec, match_id(played.state.debate, turn))
    store.append(match.state.debate, match.events, after=0)

    def status() -> str | None:
        stop_matches(store, played.state, at=played.at, on_events=lambda _events: None)
        outcome = replay(store.load(match.state.debate)).outcome
        return outcome.status if outcome else None

    assert status() is None
    played.do(Stop(by="operator", reason="enough"))
    assert status() == "aborted"


ANN = Person(id="p-ann", name="Ann Archer", role="facilitator")


def held_with_ann() -> tuple[MemoryStore, str, str]:
    """A tournament with its first match, both about a wish of Ann; returns the store and both ids."""
    spec = tournament().model_copy(
        update={"context": "Ann Archer asked for it.", "room": Room(people=(ANN,), hold="none")}
    )
    played = Played(spec)
    turn = played.requests()[0].turn()
    match_of = MatchOf(debate=played.state.debate, turn=str(turn))
    match = Played(
        match_spec(spec, played.state.compared[turn], turn.seat, turn.round, match_of=match_of),
        match_id(played.state.debate, turn),
        owner="u-former",
    )
    played.do(Resume(by=ANN.id))
    played.do(verdict(played, match.state.debate))
    played.do(Stop(by=ANN.id, reason="enough"))
    store = MemoryStore()
    for one in (played, match):
        store.append(one.state.debate, one.events, after=0)
    return store, played.state.debate, match.state.debate


def test_a_match_takes_no_command_of_its_own():
    store, _, match = held_with_ann()
    host = Host(store, HostOptions(worker="none"))
    for command in (Stop(by="host", reason="enough"), Pause(by="host", reason="wait")):
        with pytest.raises(RuleViolation, match="comparison of the tournament"):
            host.submit(match, command)
    assert host.state(match).outcome is None


def test_readers_of_a_tournament_read_its_matches():
    store, debate, match = held_with_ann()
    host = Host(store, HostOptions(worker="none"))
    member = Looker("stranger", account="someone")
    for looker in (OPERATOR, Looker("host"), member, STRANGER):
        assert host.may_look(match, {}, looker) == host.may_look(debate, {}, looker)
    assert [host.may_look(match, {}, who) for who in (Looker("stranger", "u-former"), STRANGER)] == [False, False]


def test_a_removed_name_leaves_the_matches_too():
    store, debate, match = held_with_ann()
    erased = erase_name(store, Signatures(store), debate, Wish("Ann Archer", "Op", "asked"), at=runner.now())
    new = replay(erased.events)
    (rewritten,) = matches_of(store, new)
    told = replay(rewritten)
    assert verify(rewritten) == ()
    assert told.spec.context == "N.N. asked for it."
    assert told.spec.match_of is not None
    assert told.spec.match_of.debate == new.debate
    assert new.all_turns()[0].match == told.debate
    host = Host(store, HostOptions(worker="none"))
    assert host.stands_for(match) == told.debate
    assert not host.may_look(match, {}, OPERATOR)

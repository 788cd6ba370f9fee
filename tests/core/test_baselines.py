"""A debate beside its question asked without one: asked after the end, counted by code, and no part of the debate."""

import asyncio
import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta

import pytest

from debate_core.engine import baselines
from debate_core.engine.audit import verify
from debate_core.engine.engine import open_debate, submit
from debate_core.errors import InvalidSpec, Leased, RuleViolation
from debate_core.host.baselines import hold_missing, lacking_baselines
from debate_core.host.daily_budget import DailyBudget, DayLimit
from debate_core.host.fillers import Access, SeatSetup, fillers_of, seat_setup_of
from debate_core.host.host import Host, HostOptions
from debate_core.host.run_options import RunOptions
from debate_core.host.runner import now, run
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import BallotCast, BeliefsRevealed, PollClosed, PollOpened, PollRevealed, RoomAct, Struck
from debate_core.record.commands import Act, AnyCommand, AskBaselines, HoldBaseline, Resume, SetMark, Stop
from debate_core.record.events import BaselineHeld, BaselineReply, Event, dump_record, make_event, parse_record
from debate_core.record.fold import replay
from debate_core.record.state import Request, State
from debate_core.report.facts.account import account
from debate_core.report.facts.baselines import baseline_rows
from debate_core.report.files.export import csv_files, dumps, run_json
from debate_core.report.files.report import markdown_report
from debate_core.report.phrases.baselines import baseline_sentences, baseline_table
from debate_core.spec.contents import Argument, Claim, Content, Mark, Synthesis
from debate_core.spec.models import ModelLine, Price
from debate_core.spec.people import Person
from debate_core.spec.presets import compose, default_seats, protocol
from debate_core.spec.presets.baselines import BASELINES, SINGLE_ANSWERS, baseline_spec, read_baselines, refuse_baseline
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import Ceiling
from debate_core.spec.values import BaselineName, Seat, Source
from tests.model_faults import Fault
from tests.model_server import ModelServer
from tests.people import ANN, FAY, GUS, JUNE, belief, room_spec
from tests.playing import AT, Played
from tests.waiting import until

OPTIONS = ("adopt", "defer")
PRICED = Price(input="1", output="2")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def spec(server: ModelServer, *, usd: str | None = None, rules: str = "autogen_round_robin") -> Spec:
    """Two models that speak one after the other, so that nothing depends on who is quicker."""
    url = f"{server.base_url('chat')}"
    lines = [
        ModelLine(id=name, model=name, provider="here", dialect="chat", base_url=url, price=PRICED)
        for name in ("one", "two")
    ]
    agreed = protocol(rules)
    if usd is not None:
        agreed = agreed.model_copy(update={"stop": (Ceiling(usd=usd), *agreed.stop)})
    seats = default_seats(agreed, "Shall we?", OPTIONS, "model")
    placed = [s.model_copy(update={"model": lines[n % 2].id}) for n, s in enumerate(seats)]
    later = Source(id="E1", title="Load", text="The load doubles.", from_round=2)
    return compose("Shall we?", OPTIONS, agreed, placed, sources=[later], models=lines)


def still() -> datetime:
    return AT


def ticking() -> Callable[[], datetime]:
    ticks = iter(range(100_000))
    return lambda: AT + timedelta(milliseconds=next(ticks))


def held(
    wanted: Spec,
    names: Sequence[BaselineName],
    *,
    clock: Callable[[], datetime] = still,
    budget: Callable[[MemoryStore], DailyBudget | None] = lambda _store: None,
) -> tuple[Event, ...]:
    """The record of a debate of this spec, and of what was asked after it."""
    store, access = MemoryStore(), Access(turn_deadline_s=5)
    SeatSetup(baselines=tuple(names)).keep(store, "d")
    store.append("d", open_debate(wanted, debate_id="d", at=AT), after=0)

    async def all_of_it() -> None:
        setup = seat_setup_of(store, "d")
        state = await run("d", store, lambda s: fillers_of(s, setup, access), RunOptions(clock=clock))
        await hold_missing(state, store, setup, access, RunOptions(clock=clock, budget=budget(store)))

    asyncio.run(all_of_it())
    return store.load("d")


@pytest.mark.slow
def test_asking_baselines_leaves_the_debate_unchanged(server: ModelServer):
    server.reset(votes=["adopt"])
    plain = held(spec(server), ())
    calls = len(server.log)
    server.reset(votes=["adopt"])
    compared = held(spec(server), BASELINES)
    before, after = compared[: len(plain)], compared[len(plain) :]
    assert before == plain
    assert dump_record(before) == dump_record(plain)
    assert [event.kind for event in after] == ["baselines_asked", *["baseline_held"] * 3]
    state, same = replay(plain), replay(compared)
    assert (same.outcome, same.ballots, same.counted, same.said_head) == (
        *(state.outcome, state.ballots, state.counted, state.said_head),
    )
    # What they used stands in the table of what was used, and in no figure of the debate.
    used = csv_files(account(same, compared))["usage.csv"].splitlines()
    of_debate = csv_files(account(state, plain))["usage.csv"].splitlines()
    assert used[: len(of_debate)] == of_debate
    beside = [row["phase"] for row in csv.DictReader([used[0], *used[len(of_debate) :]])]
    assert beside == ["single_call", *["self_consistency"] * calls, *["supervised_answer"] * 3]
    # One call, as many as the debate made, and three: answer, check and correction.
    assert (calls, len(server.log)) == (baselines.calls_of(state, "self_consistency"), calls + 1 + calls + 3)
    assert [one.calls for one in same.baselines] == [1, calls, 3]
    assert verify(parse_record(dump_record(compared).encode())) == ()


@pytest.mark.slow
def test_a_call_that_was_lost_makes_the_vote_no_larger(server: ModelServer):
    server.reset(votes=["adopt"], faults=[Fault("garbage", at=(2,))])
    record = held(spec(server), ["self_consistency"])
    assert len([event for event in record if event.kind == "attempt_started"]) == 4
    assert replay(record).baselines[0].calls == 3


def test_the_models_take_turns_and_read_every_source_and_no_turn(server: ModelServer):
    server.reset(votes=["adopt"])
    record = held(spec(server), ["self_consistency"])
    calls = len(server.log) // 2
    asked = server.log[calls:]
    assert [one.model for one in asked].count("one") == (calls + 1) // 2
    bodies = [str(one.body) for one in asked]
    assert all("The load doubles." in body for body in bodies)
    assert not any("Call 1." in body for body in bodies)
    assert {reply.line for reply in replay(record).baselines[0].replies} == {"one", "two"}


def reply(vote: str | None, **more: object) -> BaselineReply:
    return BaselineReply.model_validate({"line": "one", "vote": vote, **more})


def closed(server: ModelServer) -> Played:
    """A debate that was played by hand: it made no call."""
    said = Argument(rationale="why", vote="adopt", claims=(Claim(text="It is cheap."),))
    return Played(spec(server, rules="bounded_vote")).play(lambda _request: said)


@pytest.mark.parametrize(
    ("votes", "calls", "answer"),
    [
        (("adopt", "adopt", "defer"), 3, "adopt"),
        (("defer",), 1, "defer"),
        (("adopt", "defer"), 2, None),
        ((None, None, "adopt"), 3, None),
        ((None, "adopt", "adopt"), 3, "adopt"),
        ((), 3, None),
    ],
)
def test_its_answer_has_most_votes_of_more_than_half(
    votes: tuple[str | None, ...], calls: int, answer: str | None, server: ModelServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(baselines, "calls_of", lambda _state, _name: calls)
    command = HoldBaseline(by="host", name="self_consistency", replies=tuple(map(reply, votes)), took_ms=5)
    found = baselines.counted(closed(server).state, command)
    cast = len([vote for vote in votes if vote])
    assert (found.answer, found.calls, found.tally.cast, found.tally.eligible) == (answer, calls, cast, calls)


def recorded(events: Sequence[Event], body: BaselineHeld, actor: str = "host") -> tuple[Event, ...]:
    """One more event, by whoever can compute a hash."""
    last = events[-1]
    key = f"baseline:{body.name}"
    return (*events, make_event(last.debate, last.seq + 1, last.hash, last.at, actor, key, body))


def test_a_room_is_told_after_its_final_vote(server: ModelServer):
    """Models argue, people decide: what the models say by themselves comes when nobody can vote by it any more."""
    server.reset(votes=["adopt"])
    lines = spec(server).models
    seats = [Seat(id=name, model=line.id) for name, line in zip("ab", lines, strict=True)]
    people = room_spec((FAY, ANN), rounds=1, seats=seats, decides="panel").model_copy(update={"models": lines})
    host = Host(MemoryStore(), HostOptions(access=Access(base_urls=(server.base_url("chat"),))))

    def act(by: Person, done: RoomAct) -> None:
        host.submit(debate, Act(by=by.id, act=done))

    try:
        debate = host.create(people, by=FAY.id, baselines=("single_call",))
        host.submit(debate, Resume(by=FAY.id))
        until(lambda: host.state(debate).outcome)
        calls = len(server.log)
        act(FAY, PollOpened(poll="final"))
        act(ANN, BallotCast(poll="final", choice="defer"))
        act(FAY, PollClosed(poll="final"))
        assert (host.state(debate).baselines, len(server.log)) == ((), calls)
        act(FAY, PollRevealed(poll="final"))
        until(lambda: host.state(debate).baselines)
        assert len(server.log) == calls + 1
        assert verify(host.events(debate)) == ()
        (row,) = baseline_rows(host.state(debate))
        # The time of people is no time of the debate's that could be compared.
        assert (row.debate_answer, row.answer, row.same, row.latency_multiple) == ("defer", "adopt", False, None)
    finally:
        host.close()


@pytest.mark.parametrize(
    ("changed", "actor", "said"),
    [
        ({}, "host", ""),
        ({"answer": "defer"}, "host", "re-counted, single_call has 1 votes of 1 and says adopt"),
        ({"tally": {"counts": [], "cast": 0, "eligible": 1}}, "host", "re-counted"),
        ({"calls": 3}, "host", "re-counted"),
        ({"replies": [{"line": "one", "vote": "move"}]}, "host", "which is none of the options"),
        ({"replies": [{"line": "who", "vote": "adopt"}]}, "host", "'who' is none of them"),
        ({"replies": [{"line": "one", "vote": "adopt", "error": "cut"}]}, "host", "cannot name an option"),
        ({"replies": [{"line": "one", "vote": "adopt"}] * 2}, "host", "asks for 1 replies, not for 2"),
        ({}, "risk", "is recorded by host, not by 'risk'"),
    ],
)
def test_verify_counts_it_again(changed: dict[str, object], actor: str, said: str, server: ModelServer):
    played = closed(server)
    command = HoldBaseline(by="host", name="single_call", replies=(reply("adopt"),), took_ms=5)
    body = baselines.counted(played.state, command)
    forged = BaselineHeld.model_validate({**body.model_dump(), **changed})
    found = verify(recorded(played.events, forged, actor))
    assert [finding.message for finding in found if said not in finding.message] == []
    assert bool(found) == bool(said)


def test_it_is_asked_once_and_after_the_end_alone(server: ModelServer):
    asks = HoldBaseline(by="host", name="single_call", replies=(reply("adopt"),), took_ms=5)
    going_on, over = Played(spec(server, rules="bounded_vote")), closed(server)
    stopped = Played(spec(server, rules="bounded_vote")).do(Stop(by="operator", reason="enough"))
    over.do(asks)
    for played, said in ((going_on, "when the debate is over"), (stopped, "aborted"), (over, "asked already")):
        before = list(played.events)
        with pytest.raises(RuleViolation, match=said):
            played.do(asks)
        assert played.events == before


def test_what_was_asked_and_has_not_come_is_on_record_and_told(server: ModelServer):
    over = closed(server)
    asked = AskBaselines(by="host", names=("single_call", "self_consistency"))
    votes_on = over.state.said_head
    over.do(asked)
    told = account(over.state, over.events)
    assert baseline_sentences(told)[:2] == (
        "A single answer without the debate was requested and is still missing.",
        "A vote of single answers was requested and is still missing.",
    )
    assert run_json(told)["baselines_pending"] == ["single_call", "self_consistency"]
    over.do(HoldBaseline(by="host", name="single_call", replies=(reply("adopt"),), took_ms=5))
    assert baselines.pending(over.state) == ("self_consistency",)
    assert over.state.said_head == votes_on
    for again, said in ((asked, "single_call was asked already"), (asked.model_copy(update={"by": "ana"}), "recorded")):
        with pytest.raises(RuleViolation, match=said):
            over.do(again)
    assert verify(over.events) == ()


def test_nobody_votes_by_it():
    """It waits for the final vote, and what people's ballots are bound to stays what it was."""
    room = Played(room_spec((FAY, ANN, GUS), decides="panel")).go_on().to_the_end()
    assert "final vote" in (baselines.not_yet(room.state) or "")
    room.act(FAY, PollOpened(poll="final"))
    room.ballot(ANN, "final", "adopt")
    room.act(FAY, PollClosed(poll="final"))
    assert baselines.not_yet(room.state) is not None
    room.act(FAY, PollRevealed(poll="final"))
    assert baselines.not_yet(room.state) is None


def test_it_is_not_asked_while_judges_cannot_read_one_another():
    room = Played(room_spec((FAY, JUNE), final_vote="none")).go_on()
    room.play().act(JUNE, belief(1)).to_the_end()
    assert str(baselines.not_yet(room.state)).endswith("still sealed: the judges' probabilities")
    room.act(FAY, BeliefsRevealed(round=2))
    assert baselines.not_yet(room.state) is None


def test_the_limit_of_money_counts_it_too(server: ModelServer):
    """R248: what the debate leaves is all that may be spent; what is missing was not asked, and says why."""
    rows = []
    for usd in ("1", "0.0128"):
        server.reset(votes=["adopt"])
        record = held(spec(server, usd=usd), SINGLE_ANSWERS)
        assert verify(record) == ()
        rows.append([(row.answered, row.calls, row.why) for row in baseline_rows(replay(record))])
    # A call reserves the most that it may use: 0.0094 USD. It used a tenth of that.
    limit = "the limit of 0.0128 USD, which counts these calls too, allows no more"
    assert rows == [[(1, 1, ""), (3, 3, "")], [(1, 1, ""), (0, 3, limit)]]


def test_the_cap_of_the_day_counts_it_too(server: ModelServer):
    server.reset(votes=["adopt"])
    record = held(
        spec(server), SINGLE_ANSWERS, budget=lambda store: DailyBudget(store, clock=still, limit=DayLimit(calls=2))
    )
    single, vote = baseline_rows(replay(record))
    assert (single.answered, vote.answered, len(server.log)) == (1, 1, 5)
    assert "2 calls" in vote.why
    assert verify(record) == ()


def test_an_unreachable_provider_leaves_one_sentence(server: ModelServer):
    server.reset(votes=["adopt"], faults=[Fault("401", at=tuple(range(4, 50)))])
    record = held(spec(server), SINGLE_ANSWERS)
    state = replay(record)
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision, verify(record)) == ("decided", "adopt", ())
    single, vote = baseline_sentences(account(state, record))
    assert single.startswith("A single answer without the debate was requested, but none came: 127.0.0.1")
    assert vote.startswith("A vote of single answers was requested, but none of 3 calls was answered: 127.0.0.1")
    assert "times" not in single + vote
    assert [(row.answer, row.same, row.price_multiple) for row in baseline_rows(state)] == [(None, None, None)] * 2


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), [("single_call", "marked"), ("self_consistency", "struck")])
def test_people_who_write_meanwhile_lose_nothing(name: BaselineName, kind: str, server: ModelServer):
    """It is written down after whatever was first; a turn that is struck makes no answer one too many."""
    server.reset(votes=["adopt"], latency_s=0.3)
    store, access, setup = MemoryStore(), Access(), SeatSetup(baselines=(name,))
    played = closed(server)
    store.append("d1", played.events, after=0)
    claim, turn = next(iter(played.state.claims)), played.state.turns[0].place()
    commands: dict[str, AnyCommand] = {
        "marked": SetMark(by="fay", mark=Mark(claim_id=claim, reading="neutral")),
        "struck": Act(by="fay", act=Struck(turn=turn, reason="an insult")),
    }

    async def meanwhile() -> State:
        asking = asyncio.create_task(hold_missing(played.state, store, setup, access))
        await asyncio.to_thread(server.wait_for, "received_at")
        so_far = replay(store.load("d1"))
        store.append("d1", submit(so_far, commands[kind], at=now()), after=so_far.version)
        return await asking

    state = asyncio.run(meanwhile())
    assert [event.kind for event in store.load("d1")[-2:]] == [kind, "baseline_held"]
    assert verify(store.load("d1")) == ()
    assert state.baselines[0].answer == "adopt"


@pytest.mark.slow
def test_whoever_was_taken_over_meanwhile_writes_no_answer(server: ModelServer):
    server.reset(votes=["adopt"], latency_s=0.3)
    store, access, played = MemoryStore(), Access(), closed(server)
    store.append("d1", played.events, after=0)

    async def taken_over() -> None:
        asking = asyncio.create_task(hold_missing(played.state, store, SeatSetup(baselines=("single_call",)), access))
        await asyncio.to_thread(server.wait_for, "received_at")
        store.release(store._leases["d1"].lease)
        store.acquire("d1", "elsewhere:1:1", ttl_s=60)
        with pytest.raises(Leased, match="taken over by elsewhere"):
            await asking

    asyncio.run(taken_over())
    assert "baseline_held" not in {event.kind for event in store.load("d1")}


def test_an_interrupted_baseline_is_asked_by_the_next_process(server: ModelServer):
    """The wish stands beside the record: a debate whose process ended right after it closed."""
    server.reset(votes=["adopt"])
    store, played = MemoryStore(), closed(server)
    SeatSetup(baselines=("single_call",)).keep(store, "d1")
    store.append("d1", played.events, after=0)
    host = Host(store, HostOptions(access=Access(base_urls=(server.base_url("chat"),)))).start()
    try:
        until(lambda: host.state("d1").baselines)
        assert len(host.signed("d1")) == 2
    finally:
        host.close()
    assert len(server.log) == 1
    assert lacking_baselines(store) == set()


def test_sentences_say_what_they_rest_on(server: ModelServer):
    """R222: same answer or not, by how many calls, price and time beside it; unknown is said as unknown."""
    said = {}
    for name, votes, price in (("same", ["adopt"], PRICED), ("other", ["adopt"] * 3 + ["defer"] * 4, None)):
        server.reset(votes=votes)
        wanted = spec(server)
        lines = tuple(line.model_copy(update={"price": price}) for line in wanted.models)
        record = held(wanted.model_copy(update={"models": lines}), SINGLE_ANSWERS, clock=ticking())
        said[name] = baseline_sentences(account(replay(record), record))
    times = re.compile(r"\d+\.\d times")
    assert [times.sub("N times", line) for line in (*said["same"], *said["other"])] == [
        "A single answer without the debate is the same: adopt. The debate cost N times as much and took N times as "
        "long.",
        "A vote of single answers decides the same, adopt, with 3 votes (3 of 3 calls answered). The debate cost N "
        "times as much and took N times as long.",
        "A single answer without the debate is different: defer. The debate took N times as long; the prices "
        "cannot be compared.",
        "A vote of single answers decides differently, for defer, with 3 votes (3 of 3 calls answered). The debate "
        "took N times as long; the prices cannot be compared.",
    ]


@pytest.mark.parametrize(
    ("rules", "said"),
    [("self_consistency", ""), ("bounded_vote", ""), ("referees_one_by_one", ""), ("expert_panel", "All 3")],
)
def test_agreement_before_the_debate_is_reported_as_little_gain(rules: str, said: str, server: ModelServer):
    """The first ballot is blind, and more was said after it."""
    seats = default_seats(protocol(rules), "Shall we?", OPTIONS, "scripted", 3)
    played = Played(compose("Shall we?", OPTIONS, protocol(rules), seats)).play(_says)
    found = baseline_sentences(account(played.state, played.events))
    assert [line.startswith("All 3 seats named adopt") for line in found] == [True] * bool(said)


def _says(request: Request) -> Content:
    return Synthesis(answer="So be it.") if request.gives == "synthesis" else Argument(rationale="why", vote="adopt")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("single_call", ("single_call",)),
        ("self_consistency, single_call,single_call", ("single_call", "self_consistency")),
        ("", "unknown baseline '': choose one of single_call, self_consistency, supervised_answer"),
        ("single_call,vote", "unknown baseline 'vote': choose one of single_call, self_consistency, supervised_answer"),
    ],
)
def test_names_of_baselines(text: str, names: tuple[BaselineName, ...] | str):
    if isinstance(names, str):
        with pytest.raises(InvalidSpec, match=names):
            read_baselines(text)
    else:
        assert read_baselines(text) == names


def test_only_models_give_baselines_and_a_tournament_has_none(server: ModelServer):
    alone = compose(
        "Shall we?",
        OPTIONS,
        protocol("bounded_vote"),
        default_seats(protocol("bounded_vote"), "Shall we?", OPTIONS, "offline"),
    )
    compared = spec(server).model_copy(update={"protocol": protocol("tournament")})
    for wanted, said in ((alone, "no model sits in it"), (compared, "two at a time")):
        with pytest.raises(InvalidSpec, match=said):
            refuse_baseline(wanted)
    asked = baseline_spec(spec(server), "self_consistency", calls=30)
    assert (len(asked.seats), asked.sources[0].from_round, asked.max_rounds) == (30, 1, 1)


def test_a_supervisor_checks_the_answer_before_it_counts(server: ModelServer):
    server.reset(votes=["adopt"] * 3 + ["defer", "adopt", "adopt"])
    record = held(spec(server), ["supervised_answer"])
    (kept,) = replay(record).baselines
    assert [(reply.line, reply.vote) for reply in kept.replies] == [("one", "defer"), ("two", None), ("one", "adopt")]
    assert (kept.calls, kept.answer, kept.tally.eligible) == (3, "adopt", 1)
    answer, check, correction = (str(one.body) for one in server.log[-3:])
    assert "Call 4." in check
    assert "Call 4." in correction
    assert "Call 5." in correction
    assert "Call 4." not in answer
    assert verify(record) == ()
    assert baseline_sentences(account(replay(record), record))[0].startswith("A supervised answer is the same: adopt.")


@pytest.mark.parametrize(
    ("replies", "answer"),
    [
        ((reply("defer"), reply(None), reply("adopt")), "adopt"),
        ((reply("adopt"), reply(None), reply(None)), None),
        ((reply("adopt"), reply(None, error="timeout"), reply("adopt")), None),
        ((reply("adopt"), reply(None)), None),
        ((), None),
    ],
)
def test_a_supervised_answer_counts_only_if_it_is_complete(
    server: ModelServer, replies: tuple[BaselineReply, ...], answer: str | None
):
    over = closed(server)
    over.do(HoldBaseline(by="host", name="supervised_answer", replies=replies, took_ms=5))
    assert over.state.baselines[0].answer == answer
    assert verify(over.events) == ()


def test_a_lost_check_is_told_with_its_reason(server: ModelServer):
    lost = (reply("adopt"), reply(None, error="timeout", message="no answer in time."), reply("adopt"))
    over = closed(server).do(HoldBaseline(by="host", name="supervised_answer", replies=lost, took_ms=5))
    sentence = baseline_sentences(account(over.state, over.events))[0]
    assert sentence.startswith("A supervised answer was requested, but it is not complete: no answer in time.")


def test_the_supervisor_is_another_model_if_there_is_one(server: ModelServer):
    asked = spec(server)
    supervisor = baseline_spec(asked, "supervised_answer", calls=3).seat("supervisor")
    assert (supervisor.role, supervisor.model) == ("referee", "two")
    judge = Seat(id="judge", role="judge", model="two", commitment="open")
    debaters = tuple(seat.model_copy(update={"model": "one"}) for seat in asked.seats)
    judged = asked.model_copy(update={"seats": (*debaters, judge)})
    assert baseline_spec(judged, "supervised_answer", calls=3).seat("supervisor").model == "two"
    alone = asked.model_copy(update={"seats": debaters})
    assert baseline_spec(alone, "supervised_answer", calls=3).seat("supervisor").model == "one"


@pytest.mark.slow
@pytest.mark.parametrize("price", [PRICED, None])
def test_a_table_has_tokens_and_times_without_prices(server: ModelServer, price: Price | None):
    server.reset(votes=["adopt"])
    wanted = spec(server)
    lines = tuple(line.model_copy(update={"price": price}) for line in wanted.models)
    record = held(wanted.model_copy(update={"models": lines}), BASELINES, clock=ticking())
    told = account(replay(record), record)
    rows = baseline_table(told)
    assert [row["Method"] for row in rows] == [
        "The debate",
        "A single answer without the debate",
        "A vote of single answers",
        "A supervised answer",
    ]
    assert [row["Calls"] for row in rows] == ["3", "1", "3", "3"]
    assert {row["USD"] == "unknown" for row in rows} == {price is None}
    assert all(float(row["Tokens"].replace(",", "")) > 0 and float(row["Seconds"]) >= 0 for row in rows)
    assert "| A supervised answer | adopt | 3 |" in markdown_report(told)
    exported = json.loads(dumps(run_json(told)))["baselines"]
    assert [one["tokens"] > 0 and one["token_multiple"] > 0 for one in exported] == [True] * 3


def test_unknown_usage_is_unknown_in_the_table(server: ModelServer):
    whole = (reply("adopt"), reply(None), reply("adopt"))
    over = closed(server).do(HoldBaseline(by="host", name="supervised_answer", replies=whole, took_ms=5))
    row = baseline_table(account(over.state, over.events))[1]
    assert (row["Tokens"], row["USD"], row["Seconds"]) == ("unknown", "unknown", "0.0")

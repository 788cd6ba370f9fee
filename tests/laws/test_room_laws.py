"""Laws of a debate with people, under any acts in any order by any person."""

from datetime import timedelta
from random import Random
from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.audit import verify
from debate_core.engine.engine import advance, open_debate, requests
from debate_core.engine.erasure import names_of, without_names
from debate_core.engine.rights import MAY
from debate_core.engine.stage import count_of_poll, final_decision, poll_results, present, result_of
from debate_core.engine.validate_actions import ballot_digest
from debate_core.errors import RuleViolation
from debate_core.record import acts
from debate_core.record.commands import Act, AnyCommand, Pause, Resume, SkipTurn, Stop, TakeTurn
from debate_core.record.events import Event, Predecessor, dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.record.state import State
from debate_core.report.facts.counts import agrees
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import SILENT, Person, Preparation, PreparationStep
from debate_core.spec.values import Seat, Source
from tests.people import EVERYBODY, FAY, OPTIONS, room_spec
from tests.playing import AT

POLLS = ("pre", "pulse-1", "pulse-2", "final")
NEW = Person(id="p-new", name="Nell", electorate="room")
STRANGER = "p-stranger"
OWNERS = ("u-ola", "u-una")
KEY = "a-key-that-opens"
STEPS: tuple[PreparationStep, ...] = get_args(PreparationStep)


def an_act(state: State, rng: Random) -> acts.RoomAct:
    """Any act there is, sometimes one that fits."""
    poll, option, seat = rng.choice(POLLS), rng.choice((*OPTIONS, "other")), rng.choice(("s0", "s1", "s2", "s9"))
    turn = rng.choice([f"{t.round}.{t.phase}.{t.seat}" for t in state.all_turns()] or ["1.opening.s0"])
    passage = rng.choice([*state.claims] or ["s2.1.1"])
    someone = rng.choice([*state.room.people.values(), NEW])
    number = rng.randint(1, 30)
    share = rng.randint(0, 100)
    beliefs = tuple(acts.Believed(option=o, percent=p) for o, p in zip(OPTIONS, (share, 100 - share, 0), strict=True))
    expected = (*OPTIONS[1:], option)
    guessed = tuple(acts.ExpectedVotes(option=name, votes=number) for name in expected)
    tried: tuple[acts.RoomAct, ...] = (
        acts.PersonJoined(person=NEW),
        acts.PersonChanged(person=someone.model_copy(update={"role": rng.choice([p.role for p in EVERYBODY])})),
        acts.PersonLeft(person=someone.id) if rng.random() < 0.2 else acts.PollOpened(poll="final"),
        acts.LinkChanged(
            what=rng.choice(("made", "replaced", "taken_back")),
            person=rng.choice((someone.id, None)),
            role=someone.role,
            electorate=someone.electorate,
        ),
        acts.PreparationBegun(step=rng.choice(STEPS)),
        acts.TextsWritten(step=rng.choice(SILENT), texts=("Zoe knows", "It costs")[: rng.randint(0, 2)]),
        acts.TextsShown(step=rng.choice(SILENT)),
        acts.Suggested(text=rng.choice(("wait", "buy", option))),
        acts.Prepared(step=rng.choice(STEPS)),
        acts.OptionsAgreed(options=OPTIONS),
        acts.PollOpened(poll=poll),
        acts.BallotCast(poll=poll, choice=rng.choice((option, "abstain"))),
        acts.BallotCast(poll="pre", choice=option),
        acts.BallotCommitted(poll="pulse-1", digest=ballot_digest(option, KEY)),
        acts.BallotCast(poll="pulse-1", choice=option, opens_with=KEY),
        acts.BallotCast(poll="final", choice=option),
        acts.BallotCast(poll="final", choice=option, expects=guessed),
        acts.PollClosed(poll="final"),
        acts.PollRevealed(poll="final"),
        acts.PollRevealed(poll="pre"),
        acts.BallotCast(poll=poll, choice=option, reason="why"),
        acts.PollClosed(poll=poll),
        acts.PollRevealed(poll=poll),
        acts.BeliefReported(round=rng.randint(0, 3), beliefs=beliefs, explanation="so", final=rng.random() < 0.3),
        acts.BeliefsRevealed(round=rng.randint(0, 3)),
        acts.Judged(ratings=(acts.Rated(option=option, criterion="clarity", score=3),)),
        acts.Compared(a=turn, b="1.opening.s1", winner="tie"),
        acts.PassageMarked(claim_id=passage, reading=rng.choice(("supports", "against")), option=option),
        acts.PassageMarked(claim_id=passage, reading=rng.choice(("neutral", "skipped"))),
        acts.MarksRevealed(),
        acts.Supposed(claim_id=passage, choice=option),
        acts.Struck(turn=turn, reason="no"),
        acts.Noted(claim_id="s0.1.1", resolved=True, reason="said"),
        acts.Intervened(text="look"),
        acts.SourceAdded(source=Source(id=rng.choice(("E1", "E2")), title="Prices", text="It costs 5.", from_round=2)),
        acts.Asked(text="why?"),
        acts.Upvoted(question=number),
        acts.Flagged(line="not said"),
        acts.FlagResolved(flag=number, reason="it was"),
        acts.Dissented(text="I do not agree"),
        acts.SeatTaken(seat=seat, reason="down"),
        acts.SeatReturned(seat=seat),
        acts.Poked(seat=seat),
        acts.Extended(seconds=60, reason="slow"),
        acts.Extended(rounds=1, reason="open points"),
        acts.LastRound(reason="late") if rng.random() < 0.2 else acts.PollOpened(poll="pre"),
        acts.Signed(verdict="accept", option=option, reason="yes"),
        acts.OutcomeRecorded(result="held", reason="a year on"),
        acts.Shared(shared=rng.random() < 0.5, reason="all decide"),
        acts.Archived(archived=rng.random() < 0.5, reason="built"),
        acts.HandedOver(to=rng.choice(OWNERS), reason="moves on"),
    )
    return rng.choice(tried)


def a_command(state: State, rng: Random) -> AnyCommand:
    """An attempted act: by a person, by a seat without a speaker, or by an unknown actor."""
    by = rng.choice([*(p.id for p in EVERYBODY), NEW.id, STRANGER, "s0", "engine", *OWNERS])
    asked = requests(state)
    kind = rng.random()
    if kind < 0.35 and asked:
        request = asked[0]
        speaker = rng.choice((request.seat, request.seat, request.seat, by))
        claims = (Claim(text="It costs", source_id="E1", quote="It costs 5."),) if request.seat == "s2" else ()
        content = Argument(rationale="why", vote=rng.choice(OPTIONS), claims=claims)
        return TakeTurn(by=speaker, request=request.id, content=content)
    if kind < 0.5:
        by = rng.choice((by, FAY.id))
        flow: list[AnyCommand] = [Resume(by=by), Pause(by=by, reason="wait")]
        flow += [SkipTurn(by=by, request=asked[0].id, reason="late")] if asked else []
        flow += [Stop(by=by, reason="enough")] if rng.random() < 0.05 else []
        return rng.choice(flow)
    act = an_act(state, rng)
    # Mostly by somebody who may, or the room would hardly get anywhere.
    fitting = [p.id for p in state.room.people.values() if p.role in MAY[type(act)]]
    fitting += [state.ownership.owner] if isinstance(act, acts.OwnerAct) else []
    return Act(by=rng.choice(fitting) if fitting and rng.random() < 0.8 else by, act=act)


def workshop(seed: int, *, tries: int = 60) -> tuple[list[Event], State]:
    """People try things; what is refused must have changed nothing, which frozen values see to."""
    rng = Random(seed)
    seats = (Seat(id="s0", occupant="scripted"), Seat(id="s1", occupant="human"), Seat(id="s2", occupant="offline"))
    agreed: dict[str, Any] = {
        "preparation": rng.choice(((), tuple(Preparation(step=step, minutes=5) for step in STEPS))),
        "pre_vote": rng.choice(("none", "shown_at_close", "shown_at_end")),
        "final_vote": "asked",
        "hold": rng.choice(("none", "round")),
        "decides": rng.choice(("debaters", "panel", "room")),
    }
    spec = room_spec(seats=seats, rounds=rng.randint(1, 3), **agreed)
    events = list(open_debate(spec, debate_id="d", at=AT, owner=OWNERS[0]))
    state = replay(events)
    for number in range(tries):
        try:
            more, after = advance(state, a_command(state, rng), at=AT + timedelta(seconds=number))
        except RuleViolation:
            continue
        events += more
        state = after
    return events, state


@given(st.integers(0, 10**9))
def test_whatever_people_do_the_record_keeps_its_own_rules(seed):
    events, state = workshop(seed)
    assert verify(events) == ()
    assert replay(events) == state
    assert parse_record(dump_record(events).encode()) == tuple(events)
    assert bool(requests(state)) == (state.outcome is None)
    assert state.spec.protocol == replay(events[:1]).spec.protocol
    before: State | None = None
    for event in events:
        after = replay([event], before)
        if before is not None:
            check_actor(before, event)
        if before is not None and isinstance(event.body, acts.RoomAct):
            # No act changes a debater's ballot, a count or the end.
            assert after.ballots == before.ballots
            assert after.counted == before.counted
            assert after.outcome == before.outcome
        before = after


def check_actor(state: State, event: Event) -> None:
    """Every act was done by someone whose role allows it."""
    body = event.body
    if isinstance(body, acts.OwnerAct):
        assert event.actor == state.ownership.owner
    elif isinstance(body, acts.RoomAct) and not isinstance(body, acts.PersonJoined):
        assert event.actor not in state.room.left
        assert state.room.people[event.actor].role in MAY[type(body)]


@given(st.integers(0, 10**9))
def test_polls_of_a_long_workshop_and_its_record_without_a_name(seed):
    events, state = workshop(seed, tries=120)
    check_polls(events, state)
    check_without_a_name(events, state, seed)


def check_polls(events: list[Event], state: State) -> None:
    """A poll counts the last ballots, and stays sealed."""
    for poll in state.room.polls.values():
        last = {e.actor: e.body for e in events if isinstance(e.body, acts.BallotCast) and e.body.poll == poll.id}
        assert {who: done.fact for who, done in poll.ballots.items()} == last
        if poll.closed is not None and not state.room.left and not state.room.of(acts.PersonChanged):
            assert poll.closed.fact.results == poll_results(state, poll)
        if not poll.revealed:
            assert result_of(state, poll.id, "panel") is None
            assert result_of(state, poll.id, "room") is None
        for result in poll.closed.fact.results if poll.closed else ():
            assert agrees(count_of_poll(state, poll, result.electorate), result)
            assert not result.winners or 2 * result.cast > result.eligible
    assert final_decision(state).option in (None, *OPTIONS)


def check_without_a_name(events: list[Event], state: State, seed: int) -> None:
    """The record without the name of one person keeps its rules."""
    if state.outcome is None:
        more, state = advance(state, Stop(by=_leads(state), reason="enough"), at=AT + timedelta(hours=1))
        events = [*events, *more]
    who = Random(seed).choice([*state.room.people.values()])
    made_from = Predecessor(debate="d", head=state.head, by="Op", reason="asked", at=events[-1].at)
    names = names_of(state, events, who.name)
    erased = without_names(events, names, debate_id="d-new", predecessor=made_from)
    assert verify(erased.events) == ()
    assert (erased.left, f'"{who.name}"' in dump_record(erased.events)) == (0, False)
    after = replay(erased.events)
    assert (after.outcome, after.counted, after.ballots) == (state.outcome, state.counted, state.ballots)
    assert [poll.closed and poll.closed.fact for poll in after.room.polls.values()] == [
        poll.closed and poll.closed.fact for poll in state.room.polls.values()
    ]


def _leads(state: State) -> str:
    return next(p.id for p in present(state) if p.role == "facilitator")

"""Another debate from one that exists: everything that was agreed comes along, and it can be opened as it stands."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from debate_core.engine.engine import open_debate
from debate_core.host.access.people_list import ListedPerson, list_line
from debate_core.record import acts
from debate_core.record.events import dump_record, parse_record, utc_text
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.files.report import text_report
from debate_core.spec.advice import Answers
from debate_core.spec.models import ModelLine
from debate_core.spec.people import Electorate, Person, Preparation, Room, RoomRole
from debate_core.spec.presets import PROTOCOLS, protocol
from debate_core.spec.protocol import Protocol, Spec
from debate_core.spec.protocol_changes import (
    with_crux,
    with_least_strength,
    with_premortem,
    with_soft_stops,
    with_votes_told,
    without_crux,
    without_premortem,
)
from debate_core.spec.rules import Ceiling, Elected, Majority, Threshold, Unanimity
from debate_core.spec.tools import with_moderator_search
from debate_core.spec.values import AskedQuestion, Seat, Source
from debate_core.ui.setup.draft import (
    DriverDraft,
    HolderDraft,
    LimitsDraft,
    OfficeDraft,
    RoomDraft,
    SeatDraft,
    SetupDraft,
    example,
)
from debate_core.ui.setup.fork import forked
from debate_core.ui.setup.mapping import draft_of, spec_from
from debate_core.ui.setup.readiness import problem
from tests.people import ANN, BEN, EVERYBODY, FAY, GUS, JOE, OLA, room_spec
from tests.playing import AT, Played

SEATS = (
    Seat(id="s0", occupant="human", stance="adopt"),
    Seat(id="s1", occupant="offline", stance="adopt"),
    Seat(id="s2", occupant="scripted", stance="adopt"),
)


def test_a_fork_keeps_rules_and_people_and_names_its_parent():
    spec = room_spec((*EVERYBODY,), rounds=3, seats=SEATS, decides="panel", phase_seconds=240, blind="named")
    limited = spec.protocol.model_copy(update={"stop": (Ceiling(usd="2.50", seconds=900), *spec.protocol.stop)})
    held = Played(spec.model_copy(update={"protocol": limited, "context": "80 % full"}))
    made = spec_from(forked(held.state, "partition"))
    assert made.options == ("adopt", "defer", "reject", "partition")
    assert (made.parent, made.question, made.max_rounds, made.context) == ("d-room", "Which?", 3, "80 % full")
    assert made.protocol == limited
    assert [(s.id, s.occupant) for s in made.debaters()] == [("s0", "human"), ("s1", "offline"), ("s2", "offline")]
    assert made.room is not None
    assert (made.room.decides, made.room.phase_seconds, made.room.blind) == ("panel", 240, "named")
    people = {(p.name, p.role, p.electorate, p.weight) for p in made.room.people}
    assert {(FAY.name, "facilitator", None, 1), (ANN.name, "voter", "panel", 1), ("Ben", "voter", "panel", 2)} <= people
    events = open_debate(made, debate_id="d-fork", at=AT)
    assert parse_record(dump_record(events).encode()) == events
    assert "Set up as a copy of the debate d-room, which is unchanged." in text_report(account(replay(events), events))


def test_an_option_that_is_there_already_is_not_doubled():
    assert spec_from(forked(Played(room_spec()).state, "defer")).options == ("adopt", "defer", "reject")


LINE = ModelLine(id="m1", model="large", provider="openai", family="large", dialect="chat")
PEOPLE = RoomDraft(
    on=True,
    name="Fay",
    decides="panel",
    vote=Majority(base="cast", quorum=2),
    preparation=(Preparation(step="brief", minutes=8),),
    pre_vote="shown_at_close",
    blind="named",
    afterwards="timed",
    hold="none",
    phase_minutes=4,
    max_chars=750,
    joining="named",
    asks_crux=True,
    asks_guess=True,
    listed='Ann, voter, 2\nGus, voter, 1, room\n"Ruiz, Ana", judge\nJune, voter, 1, room\nMo, moderator\nOla, observer',
    judges="June, Joe",
    synthesiser="Syd",
    approver="Abe",
    holders=(HolderDraft(seat="ana", name="Ana"), HolderDraft(seat="chair", name="Bo")),
)
RICH = example("Should we adopt it?", ("adopt", "defer", "reject")).model_copy(
    update={
        "sources": (Source(id="adr", title="ADR", text="The connectors cut latency.", from_round=2),),
        "seats": (
            SeatDraft(key="a", id="ana", who="human", stance="for", persona="a sceptic", weight=2),
            SeatDraft(key="b", id="bot", who="model", model="m1", instructions="Count in euros."),
            SeatDraft(key="c", id="code"),
        ),
        "rounds": 4,
        "decide": Majority(ballots_in_a_row=1),
        "offices": (OfficeDraft(role="synthesiser", who="model", model="m1", instructions="Be brief."),),
        "lines": (LINE,),
        "limits": LimitsDraft(usd="2.50", calls="40", tokens="1,200,000", minutes="10079.99"),
        "max_wait_s": 86_400,
        "drivers": (DriverDraft(key="x", name="time", weight=60), DriverDraft(key="y", name="cost", weight=40)),
        "context": "80 % full",
        # The words of the question suggest "adopt".
        "yes_option": "reject",
        "parent": "d-first",
        "asked": AskedQuestion(id="q-1", digest="ab" * 32, question="Adopt?", by="release-bot", at=utc_text(AT)),
        "room": PEOPLE,
        "triage": Answers(task="architecture"),
    }
)


def with_limit(rule: Ceiling) -> SetupDraft:
    """Rules from a file with their own limit."""
    shipped = protocol("bounded_vote")
    own = shipped.model_copy(update={"stop": (*shipped.stop, rule)})
    return RICH.model_copy(update={"protocol": own.name, "own": own, "limits": LimitsDraft(), "decide": None})


@pytest.mark.parametrize(
    "draft",
    [
        RICH,
        RICH.model_copy(update={"chair": False, "room": RoomDraft()}),
        RICH.model_copy(
            update={
                "room": PEOPLE.model_copy(
                    update={"decides": "debaters", "final_vote": "none", "asks_crux": False, "asks_guess": False}
                )
            }
        ),
        RICH.model_copy(update={"protocol": "bounded_vote", "decide": Threshold(votes=3), "limits": LimitsDraft()}),
        RICH.model_copy(update={"limits": LimitsDraft(minutes="0.02")}),
        with_limit(Ceiling(calls=0)),
        with_limit(Ceiling(seconds=1_000_000)),
        with_limit(Ceiling(usd="2.50")),
    ],
)
def test_whatever_set_up_makes_can_be_set_up_again_as_it_is(draft: SetupDraft):
    spec = spec_from(draft)
    assert spec_from(draft_of(spec)) == spec


@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize("who", ["human", "model"])
def test_every_protocol_can_be_set_up_again_as_it_is(name: str, who: str):
    rules = protocol(name)
    roles = dict.fromkeys(p.role for p in rules.phases() if p.role not in ("debater", "chair"))
    offices = tuple(
        OfficeDraft.model_validate({"role": r, "who": who, "model": "m1", "both_orders": who == "model"}) for r in roles
    )
    changes = {"protocol": name, "offices": offices, "seats": None, "decide": None, "rounds": None, "room": RoomDraft()}
    spec = spec_from(RICH.model_copy(update=changes))
    assert spec_from(draft_of(spec)) == spec


def test_the_rich_spec_leaves_nothing_out_that_set_up_can_choose():
    """A new field must be added here, and to the mapping in both directions."""
    spec = spec_from(RICH)
    assert spec.room is not None
    # Practice is taken up from debates whose truth is known, and matches are opened by their tournament. Records of
    # transcripts are imported.
    assert unchosen(spec) == {"seed", "practice", "match_of", "held_elsewhere"}
    # A deciding final vote must be asked; the third of the drafts above has none.
    assert unchosen(spec.room) == {"final_vote"}
    chosen = {field for who in spec.room.people for field in Person.model_fields.keys() - unchosen(who)}
    assert Person.model_fields.keys() - chosen == {"interest"}
    chosen = {field for seat in spec.seats for field in Seat.model_fields.keys() - unchosen(seat)}
    assert Seat.model_fields.keys() == chosen
    limit = spec.ceiling()
    assert limit is not None
    assert unchosen(limit) == {"kind"}


def unchosen(value: Spec | Room | Person | Seat | Ceiling) -> set[str]:
    """Fields with their default values."""
    return {name for name, field in type(value).model_fields.items() if getattr(value, name) == field.default}


OPTIONS = st.lists(st.sampled_from(("adopt", "defer", "reject", " wait ", "")), min_size=3, max_size=5, unique=True)
RULES = st.one_of(
    st.none(),
    st.builds(Majority, ballots_in_a_row=st.integers(1, 2), base=st.sampled_from(("eligible", "cast"))),
    st.builds(Threshold, votes=st.integers(1, 4), quorum=st.sampled_from((None, 2))),
    st.builds(Unanimity, all_but=st.integers(0, 1)),
    st.builds(Elected, kind=st.sampled_from(("borda", "cumulative", "approval")), dots=st.integers(1, 9)),
)
SEATS_DRAWN = st.lists(
    st.builds(
        SeatDraft,
        key=st.just("k"),
        id=st.sampled_from(("ana", "bot", "code", "dee")),
        who=st.sampled_from(("human", "model", "offline")),
        model=st.just("m1"),
        stance=st.sampled_from(("", "adopt", "for defer")),
        persona=st.sampled_from(("", "a sceptic")),
        commitment=st.sampled_from((None, "open", "adversary")),
        weight=st.integers(1, 3),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda seat: seat.id,
)
OFFICES = st.builds(
    OfficeDraft,
    role=st.sampled_from(("synthesiser", "judge", "moderator", "evaluator")),
    who=st.sampled_from(("human", "model", "offline")),
    model=st.just("m1"),
    both_orders=st.booleans(),
)
LIMITS = st.builds(
    LimitsDraft,
    usd=st.sampled_from(("", "2.50", "0.001")),
    calls=st.sampled_from(("", "40", "1,200")),
    tokens=st.sampled_from(("", "1 200 000")),
    minutes=st.one_of(st.just(""), st.integers(1, 1_007_999).map(lambda n: f"{n / 100:g}")),
)
CHANGES: Sequence[Callable[[Protocol], Protocol]] = (
    lambda rules: with_soft_stops(rules, ()),
    lambda rules: with_soft_stops(rules, ("converged", "stable")),
    lambda rules: rules.model_copy(update={"unverified_quotes": "refuse", "contradicting_ballots": "abstain"}),
    lambda rules: with_votes_told(rules, "shown"),
    lambda rules: with_votes_told(rules, "hidden"),
    with_crux,
    without_crux,
    lambda rules: with_premortem(rules, 1),
    without_premortem,
    lambda rules: with_moderator_search(rules, "allowed"),
    lambda rules: with_least_strength(rules, 9),
)
"""Changes of rules that set-up offers."""


def changed_rules(name: str, changes: Sequence[Callable[[Protocol], Protocol]]) -> SetupDraft:
    """A draft under this protocol with these changes."""
    rules = protocol(name)
    for change in changes:
        rules = change(rules)
    return SetupDraft(protocol=name).with_own(rules)


RULES_DRAWN = st.builds(
    changed_rules, st.sampled_from([*PROTOCOLS]), st.lists(st.sampled_from(CHANGES), max_size=4, unique=True)
)
DRAFTS = st.builds(
    lambda rules, **typed: rules.replace(**typed),
    RULES_DRAWN,
    question=st.sampled_from(("Move?", " Should we *move* it? ")),
    options=OPTIONS.map(lambda texts: example("?", texts).options),
    seats=st.one_of(st.none(), SEATS_DRAWN.map(tuple)),
    rounds=st.sampled_from((None, 1, 2, 3)),
    decide=RULES,
    offices=st.lists(OFFICES, max_size=3, unique_by=lambda office: office.role).map(tuple),
    lines=st.just((LINE,)),
    limits=LIMITS,
    max_wait_s=st.sampled_from((None, 86_400)),
    chair=st.booleans(),
    room=st.sampled_from((RoomDraft(), PEOPLE, PEOPLE.model_copy(update={"decides": "room", "joining": "open"}))),
    context=st.sampled_from(("", "80 % full")),
    parent=st.sampled_from(("", "d-first")),
    triage=st.sampled_from((Answers(), Answers(task="other"))),
)


@settings(max_examples=150)
@given(DRAFTS)
def test_any_draft_that_can_be_started_can_be_set_up_again(draft: SetupDraft):
    assume(problem(draft) is None)
    spec = spec_from(draft)
    assert spec_from(draft_of(spec)) == spec


NAMES = ("Ann", "Bo", "June", "Kim", 'Jo "J" Ray', "Ruiz, Ana", "a;b")
PLAIN = st.permutations(NAMES[:4])
LISTED = st.permutations([*NAMES, "Fay"])
ROLES: tuple[RoomRole, ...] = ("voter", "judge", "approver", "synthesiser", "moderator", "debater", "facilitator")
ELECTORATES: tuple[Electorate | None, ...] = (None, "panel", "room")


@settings(max_examples=60)
@given(st.data())
def test_a_fork_sets_people_up_with_roles_votes_and_seats(data: st.DataObject):
    """Each of four names has a field for a role, a seat, both or none; the list has anybody, in any order."""
    fields = ("judges", "synthesiser", "approver", "")
    field = {name: data.draw(st.sampled_from(fields)) for name in NAMES[:4]}
    free = ["", *(name for name in NAMES if not field.get(name))]
    ana = data.draw(st.sampled_from(free))
    chair = data.draw(st.sampled_from(["", *(name for name in NAMES if name != ana)]))
    known = {"Fay", ana, chair, *(name for name, of in field.items() if of)}
    lines = []
    for name in data.draw(LISTED)[: data.draw(st.integers(0, 8))]:
        role: RoomRole = "voter" if name in known else data.draw(st.sampled_from(ROLES))
        electorate = data.draw(st.sampled_from(ELECTORATES))
        lines.append(list_line(ListedPerson(name, role, electorate, data.draw(st.integers(1, 3)))))
    order = data.draw(PLAIN)
    people = PEOPLE.model_copy(
        update={
            **{of: ", ".join(name for name in order if field[name] == of) for of in fields if of},
            "listed": "\n".join(lines),
            "holders": (HolderDraft(seat="ana", name=ana), HolderDraft(seat="chair", name=chair)),
            "decides": "debaters",
        }
    )
    spec = spec_from(RICH.model_copy(update={"room": people}))
    assert spec_from(draft_of(spec)) == spec


def test_a_fork_keeps_judging_and_the_list_of_the_room():
    held = Played(room_spec(seats=SEATS, afterwards="timed", joining="named"))
    made = spec_from(forked(held.state, "partition")).room
    assert made is not None
    assert (made.afterwards, made.joining) == ("timed", "named")
    people = {(p.name, p.role, p.electorate, p.weight) for p in made.people}
    assert people == {(p.name, p.role, p.electorate, p.weight) for p in EVERYBODY}


def test_a_fork_has_the_current_people_and_no_open_link_guests():
    held = Played(room_spec((FAY, ANN, BEN, GUS), seats=SEATS))
    guest = Person(id="p-guest", name="Guest 1", electorate="room")
    for who in (guest, JOE, OLA):
        held.act(who, acts.PersonJoined(person=who))
    held.act(FAY, acts.PersonChanged(person=ANN.model_copy(update={"role": "approver"})))
    held.act(FAY, acts.PersonLeft(person=BEN.id))
    draft = forked(held.state, "partition")
    assert (draft.room.name, draft.room.judges, draft.room.approver) == ("Fay", "Joe", "Ann")
    assert draft.room.listed == "Ann, approver, 1, named\nGus, voter, 1, room"


def test_a_clock_of_less_than_a_minute_stays_a_clock():
    made = spec_from(forked(Played(room_spec(phase_seconds=30)).state, "partition"))
    assert made.room is not None
    assert made.room.phase_seconds == 60


def test_a_threshold_is_kept():
    assert spec_from(forked(Played(room_spec()).state, "partition")).protocol.decide == Threshold(votes=2)

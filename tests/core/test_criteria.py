"""Weighted criteria: points under each driver, counted by weights; what is no such ballot; and which weight matters."""

import csv
import io
import json
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.audit import verify
from debate_core.engine.count.ballot_files import read_ballots
from debate_core.engine.count.ballots import BallotCounted, ballot_words, fault_in_ballot, fault_under, tops
from debate_core.engine.count.count import Count, Result
from debate_core.engine.count.criteria import Cells, Tip, cells, tips
from debate_core.engine.count.margin_of_victory import Flip
from debate_core.engine.engine import requests
from debate_core.engine.seat_view import view
from debate_core.engine.validate_content import read_content
from debate_core.errors import BadReply, InvalidSpec
from debate_core.record.acts import BallotCast, PollClosed, PollOpened, PollRevealed
from debate_core.record.events import parse_record
from debate_core.report.facts.account import account
from debate_core.report.facts.counts import counts_of, debaters_count, tally_rows, what_if
from debate_core.report.facts.ruling import ruling_of
from debate_core.report.files.export import csv_files, export_files, run_json
from debate_core.report.files.report import text_report
from debate_core.report.phrases.counts import weights_sentence
from debate_core.report.phrases.decision import poll_points
from debate_core.report.phrases.rules import agreed_sentence, elected_sentence
from debate_core.seats.prompts import prompt_for
from debate_core.seats.prompts.schema import reply_schema
from debate_core.spec.contents import Argument
from debate_core.spec.people import Person
from debate_core.spec.protocol import Driver, Protocol
from debate_core.spec.rule_faults import rule_fault
from debate_core.spec.rules import Elected, MaxRounds
from debate_core.spec.values import Given, TieStep
from tests.by_hand import OPEN, small_spec
from tests.core.test_ballots_in_debates import rules
from tests.counts import count
from tests.holding import Said, hold, script
from tests.people import ANN, BEN, FAY, room_spec
from tests.playing import Played

RULE = Elected(kind="weighted_criteria")
OPTIONS = ("adopt", "defer", "reject")
DRIVERS = (Driver(name="cost", weight=50), Driver(name="speed", weight=30), Driver(name="risk", weight=20))


def paper(**points: dict[str, int]) -> tuple[Given, ...]:
    """`adopt={"cost": 4}` as what a ballot gives."""
    return tuple(Given(option=o, driver=d, points=p) for o, under in points.items() for d, p in under.items())


def counts(casts: list[BallotCounted], rule: Elected = RULE, drivers: tuple[Driver, ...] = DRIVERS) -> Result:
    return count(rule, OPTIONS, casts, eligible=[c.weight for c in casts], drivers=drivers)


ANA = BallotCounted(
    "ana", given=paper(adopt={"cost": 4, "speed": 2, "risk": 1}, defer={"cost": 2, "speed": 5}), weight=1
)
BOB = BallotCounted("bob", given=paper(adopt={"cost": 1, "risk": 4}, defer={"cost": 4, "speed": 1}), weight=2)
# By hand, ana 1 and bob 2:  adopt cost (4+2)/3 = 2, speed 2 (ana alone), risk (1+8)/3 = 3
#                            defer cost (2+8)/3 = 10/3, speed (5+2)/3 = 7/3, risk 0 (nobody)
WORKED = {"adopt": Fraction(22, 10), "defer": Fraction(71, 30), "reject": Fraction(0)}


def test_points_are_weighted_means_summed_by_driver_weights():
    found = counts([ANA, BOB])
    assert found.points == WORKED
    assert (found.winners, found.cast, found.cast_weight, found.needed) == (("defer",), 2, 3, None)


def test_an_unbounded_search_does_not_claim_too_few():
    best, worst = dict.fromkeys(("cost", "speed", "risk"), 5), dict.fromkeys(("cost", "speed", "risk"), 0)
    casts = tuple(BallotCounted(f"v{n}", given=paper(adopt=best, defer=worst, reject=worst)) for n in range(3))
    assert Count("test", RULE, "criteria", OPTIONS, casts, {}, drivers=DRIVERS).flip() == Flip(2, exact=False, tried=0)


def test_the_search_for_decisive_ballots_is_bounded():
    """Ten who all weigh otherwise: that only the last two together could change it shows after 700 counts."""
    best, worst = dict.fromkeys(("cost", "speed", "risk"), 5), dict.fromkeys(("cost", "speed", "risk"), 0)
    said = paper(adopt=best, defer=worst, reject=worst)
    weights = (*range(1, 9), 100, 101)
    casts = tuple(BallotCounted(f"v{weight}", given=said, weight=weight) for weight in weights)
    found = Count("test", RULE, "criteria", OPTIONS, casts, {}, drivers=DRIVERS).flip()
    assert found == Flip(None, exact=False, tried=0)


def test_level_options_form_a_set_and_zeros_elect_nobody():
    level = BallotCounted("a", given=paper(adopt={"cost": 3}, reject={"speed": 5}))
    assert counts([level]).winners == ("adopt", "reject")
    assert counts([BallotCounted("a", given=paper(adopt={"cost": 0}))]).winners == ()
    assert counts([BallotCounted("a", "abstain")]).winners == ()
    pairs = Elected(kind="weighted_criteria", tie=("pairwise",))
    others = [BallotCounted("b", given=paper(adopt={"cost": 4}, reject={"speed": 5})) for _ in range(2)]
    against = BallotCounted("c", given=paper(adopt={"cost": 1}, reject={"speed": 5}))
    found = counts([*others, against], pairs)
    assert found.ties == ("adopt", "reject")
    step = TieStep(step="pairwise", left=("adopt",), why="most pairs won among the level options")
    assert (found.winners, found.steps) == (("adopt",), (step,))


def test_a_quorum_holds_here_too():
    assert counts([ANA], Elected(kind="weighted_criteria", quorum=2)).winners == ()


FAULTS: list[tuple[tuple[Given, ...], str]] = [
    ((), "the ballot is empty: give each option 0 to 5 points under each driver, or say abstain"),
    (paper(maybe={"cost": 1}), "the vote 'maybe' is none of the options: adopt, defer, reject"),
    (paper(adopt={"taste": 1}), "gives adopt points under the driver 'taste': the drivers are cost, speed, risk"),
    ((Given(option="adopt", points=1),), "gives adopt points under no driver: the drivers are cost, speed, risk"),
    (paper(adopt={"cost": 1}) * 2, "gives adopt points under 'cost' twice: give points at most once per driver"),
    (paper(adopt={"cost": 6}), "the ballot gives adopt 6: criteria takes 0 to 5"),
]


@pytest.mark.parametrize(("given", "why"), FAULTS)
def test_what_is_no_ballot_is_said_in_one_sentence(given: tuple[Given, ...], why: str):
    assert why in str(fault_in_ballot("criteria", OPTIONS, None, given, drivers=DRIVERS))


OUT_OF_100 = Elected(kind="weighted_criteria", most_points=100, floor_percent=70)


def test_the_scale_and_the_floor_are_agreed():
    ninety, hundred = paper(adopt={"cost": 90}), paper(adopt={"cost": 101})
    assert fault_under(OUT_OF_100, OPTIONS, DRIVERS, None, ninety) is None
    assert "gives adopt 101: criteria takes 0 to 100" in str(fault_under(OUT_OF_100, OPTIONS, DRIVERS, None, hundred))
    assert "criteria takes 0 to 5" in str(fault_under(RULE, OPTIONS, DRIVERS, None, ninety))
    all_drivers = BallotCounted("a", given=paper(adopt={"cost": 80, "speed": 60, "risk": 60}))
    enough = counts([all_drivers], OUT_OF_100)
    assert (enough.winners, enough.needed) == (("adopt",), Fraction(70))
    less = BallotCounted("a", given=paper(adopt={"cost": 79, "speed": 60, "risk": 60}))
    assert counts([less], OUT_OF_100).winners == ()
    sentence = "gives every option 0 to 100 points under each decision driver"
    assert sentence in elected_sentence(OUT_OF_100)
    assert "if it has at least 70 % of 100 points" in elected_sentence(OUT_OF_100)
    played = Played(small_spec(OPEN, decide=OUT_OF_100, stop=(MaxRounds(),)).model_copy(update={"drivers": DRIVERS}))
    asked = view(played.state, played.requests()[0])
    assert "0 (worst) to 100 (best)" in prompt_for(asked).tail


@pytest.mark.parametrize("field", ["floor_percent", "most_points"])
def test_other_rules_have_no_such_scale(field: str):
    rule = Elected.model_validate({"kind": "borda", field: 40})
    assert str(rule_fault(rule, [1, 1])).startswith(f"{field} belongs to ")


def test_a_ballot_is_fit_and_told_in_words():
    assert fault_in_ballot("criteria", OPTIONS, None, ANA.given, drivers=DRIVERS) is None
    assert fault_in_ballot("criteria", OPTIONS, "abstain", ()) is None
    said = fault_in_ballot("score", OPTIONS, None, paper(adopt={"cost": 1}))
    assert said == "the ballot names the driver 'cost': only weighted_criteria takes points under drivers"
    mixed = (Given(option="defer", points=1), *paper(adopt={"cost": 1}))
    assert fault_in_ballot("score", OPTIONS, None, mixed) == said
    assert ballot_words("criteria", ANA.given) == "adopt: cost 4, speed 2, risk 1; defer: cost 2, speed 5"
    assert tops("criteria", ANA, DRIVERS) == ("adopt",)


# --- laws

_CELLS = st.dictionaries(
    st.tuples(st.sampled_from(OPTIONS), st.sampled_from([d.name for d in DRIVERS])), st.integers(0, 5), min_size=1
)
_BALLOTS = st.lists(st.tuples(_CELLS, st.integers(1, 3)), min_size=1, max_size=5)
Ballots = list[tuple[dict[tuple[str, str], int], int]]


def _casts(ballots: Ballots, rename: dict[str, str] | None = None) -> list[BallotCounted]:
    new = rename or {}
    return [
        BallotCounted(
            f"v{n}",
            given=tuple(
                Given(option=new.get(o, o), driver=new.get(d, d), points=p) for (o, d), p in sorted(points.items())
            ),
            weight=weight,
        )
        for n, (points, weight) in enumerate(ballots)
    ]


@given(_BALLOTS, st.permutations(OPTIONS))
def test_other_names_of_options_name_the_same_result(ballots: Ballots, names: list[str]):
    new = dict(zip(OPTIONS, names, strict=True))
    plain, renamed = counts(_casts(ballots)), counts(_casts(ballots, new))
    assert renamed.points == {new[o]: p for o, p in plain.points.items()}
    assert renamed.winners == tuple(sorted(new[o] for o in plain.winners))


@given(_BALLOTS)
def test_order_and_names_do_not_change_the_result(ballots: Ballots):
    plain = counts(_casts(ballots))
    for order in permutations(DRIVERS):
        renamed = tuple(Driver(name=d.name.upper(), weight=d.weight) for d in order)
        new = {d.name: d.name.upper() for d in DRIVERS}
        assert counts(_casts(ballots[::-1], new), drivers=renamed).points == plain.points


@given(_BALLOTS, st.integers(2, 4))
def test_weights_of_all_voters_times_the_same_change_nothing(ballots: Ballots, times: int):
    plain, more = counts(_casts(ballots)), counts(_casts([(b, w * times) for b, w in ballots]))
    assert (more.points, more.winners) == (plain.points, plain.winners)


# --- other weights of the drivers


def _at(found: Cells, driver: str, weight: Fraction) -> dict[str, Fraction]:
    """The sums if this driver weighed so much and the others shared the rest in proportion."""
    rest = 1 - found.weights[driver]
    scaled = {d: weight if d == driver else w * (1 - weight) / rest for d, w in found.weights.items()}
    return Cells(found.options, scaled, found.mean).sums()


def test_the_nearest_decisive_weight_matches_hand_values():
    drivers = (Driver(name="cost", weight=40), Driver(name="speed", weight=60))
    found = cells(("a", "b"), drivers, [(1, paper(a={"cost": 5, "speed": 1}, b={"cost": 2, "speed": 4}))])
    # a 2.6, b 3.2; level where 5x + 1 - x = 2x + 4 - 4x, so x = 1/2.
    assert found.sums() == {"a": Fraction(13, 5), "b": Fraction(16, 5)}
    assert tips(found) == (
        Tip("cost", Fraction(2, 5), Fraction(1, 2), ("a",)),
        Tip("speed", Fraction(3, 5), Fraction(1, 2), ("a",)),
    )
    better = cells(("a", "b"), drivers, [(1, paper(a={"cost": 5, "speed": 1}, b={"cost": 5, "speed": 0}))])
    assert [t.to for t in tips(better)] == [None, None]
    one = (Driver(name="cost", weight=100),)
    assert tips(cells(("a", "b"), one, [(1, paper(a={"cost": 5}))])) == (Tip("cost", Fraction(1), None),)
    assert tips(cells(("a", "b"), drivers, [])) == ()


@given(_BALLOTS)
def test_the_winner_changes_exactly_at_the_decisive_weight(ballots: Ballots):
    casts = _casts(ballots)
    found = cells(OPTIONS, DRIVERS, [(c.weight, c.given) for c in casts])
    winners = counts(casts).winners
    assert bool(tips(found)) == (len(winners) == 1)
    for tip in tips(found):
        grid = [Fraction(n, 40) for n in range(41)]
        far = Fraction(2) if tip.to is None else abs(tip.to - tip.weight)
        for at in (g for g in grid if abs(g - tip.weight) < far):
            sums = _at(found, tip.driver, at)
            assert all(sums[o] <= sums[winners[0]] for o in OPTIONS)
            assert tip.to is None or all(sums[o] < sums[winners[0]] for o in OPTIONS if o != winners[0])
        if tip.to is not None:
            level, step = _at(found, tip.driver, tip.to), (tip.to - tip.weight) / 10**9
            assert {level[o] for o in tip.options} == {level[winners[0]]} == {max(level.values())}
            beyond = _at(found, tip.driver, tip.to + step)
            assert beyond[winners[0]] < max(beyond[o] for o in tip.options)


# --- whole debates


SAID: list[Said] = [
    {"scores": {"release": {"cost": 4, "speed": 2}, "revise": {"cost": 1, "Speed ": 5}}},
    {
        "scores": [
            {"option": "release", "driver": "cost", "points": 5},
            {"option": "revise", "driver": "speed", "points": 4},
        ]
    },
    {"vote": "abstain"},
]
TWO = [{"name": "cost", "weight": 60}, {"name": "speed", "weight": 40}]


def _held(**fields: object) -> Said:
    seats = ("planner", "critic", "operator")
    turns: list[Said] = [
        {"seat": s, "content": {"rationale": f"{s} says.", **said}} for s, said in zip(seats, SAID, strict=True)
    ]
    return script(turns, **{"protocol": rules(RULE), "settings": {"rounds": 1}, "drivers": TWO, **fields})


def test_a_debate_is_decided_told_verified_and_exported():
    state, events = hold(_held())
    # release: cost 4.5, speed 2 -> 3.5; revise: cost 1, speed 4.5 -> 2.4
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision) == ("decided", "release")
    assert state.outcome.decided_by == "weighted_criteria"
    assert verify(events) == ()
    assert [(r.option, r.votes, r.unit) for r in tally_rows(state)] == [
        ("release", 3.5, "weighted points"),
        ("revise", 2.4, "weighted points"),
        ("escalate", 0, "weighted points"),
    ]
    assert run_json(account(state))["tally"] == {"release": 3.5, "revise": 2.4, "escalate": 0}
    assert [w.rule for w in what_if(debaters_count(state))] == ["weighted_criteria"]
    assert "under each decision driver" in agreed_sentence(state.spec)
    assert parse_record(export_files(account(state, events), "json")["events.jsonl"]) == events
    assert export_files(account(state, events), "all")


def test_the_matrix_uses_the_last_ballots_and_decisive_weights():
    state, events = hold(_held())
    found = counts_of(state)[0].matrix()
    assert found is not None
    assert found.mean["revise", "speed"] == Fraction(9, 2)
    # 4.5x + 2(1-x) = x + 4.5(1-x) at x = 2.5/6
    assert tips(found)[0] == Tip("cost", Fraction(3, 5), Fraction(5, 12), ("revise",))
    said = weights_sentence(ruling_of(state))
    assert said == (
        "Weights that would change the winner, the others scaled in proportion: "
        "cost: 41.67 instead of 60: revise ties, and wins beyond; "
        "speed: 58.33 instead of 40: revise ties, and wins beyond."
    )
    assert said in text_report(account(state, events))
    debaters = counts_of(state)[0]
    assert debaters.result().winners == ("release",)
    assert debaters.flip().ballots == 1


def test_the_ballot_table_nests_points_and_needs_the_weights():
    state, events = hold(_held())
    text = csv_files(account(state, events))["votes.csv"]
    row = next(csv.DictReader(io.StringIO(text)))
    assert row["kind"] == "criteria"
    assert json.loads(row["scores_json"]) == {"release": {"cost": 4, "speed": 2}, "revise": {"cost": 1, "speed": 5}}
    with pytest.raises(InvalidSpec, match="weighted_criteria needs the weights of the drivers"):
        read_ballots(text, name="votes.csv")


def test_without_drivers_there_is_nothing_to_score():
    why = "weighted_criteria gives points under decision drivers, and none are named"
    with pytest.raises(InvalidSpec, match=why):
        hold(_held(drivers=[]))
    with pytest.raises(InvalidSpec, match=f"the vote of the room: {why}"):
        Played(room_spec((FAY, ANN), vote=RULE))


def test_a_reply_is_refused_where_it_names_no_driver():
    state, _ = hold(_held())
    said = {"rationale": "So.", "scores": {"release": 4}}
    with pytest.raises(BadReply, match="gives release points under no driver: the drivers are cost, speed"):
        read_content(state.spec, "argument", said, asks_ballot=True)


def test_a_model_is_asked_for_a_driver_with_every_score():
    held = Played(room_spec((FAY,)).model_copy(update={"drivers": DRIVERS, "protocol": _protocol()}))
    held.go_on()
    schema = json.loads(json.dumps(reply_schema(view(held.state, requests(held.state)[0]))))
    asked = schema["properties"]["scores"]["items"]["properties"]
    assert asked["driver"] == {"type": "string", "enum": ["cost", "speed", "risk"]}
    assert asked["option"] == {"type": "string", "enum": ["adopt", "defer", "reject"]}


def _protocol() -> Protocol:
    return room_spec((FAY,)).protocol.model_copy(update={"decide": RULE})


def test_people_vote_by_weighted_criteria_in_a_poll():
    spec = room_spec((FAY, ANN, BEN), vote=RULE, pre_vote="none").model_copy(update={"drivers": DRIVERS})
    held = Played(spec)
    held.to_the_end()
    held.act(FAY, PollOpened(poll="final"))
    held.act(ANN, BallotCast(poll="final", given=ANA.given))
    held.act(BEN, BallotCast(poll="final", given=BOB.given))
    held.act(FAY, PollClosed(poll="final"))
    held.act(FAY, PollRevealed(poll="final"))
    closed = held.state.room.polls["final"].closed
    assert closed is not None
    result = closed.fact.results[0]
    assert (result.winners, {p.option: Fraction(p.points) for p in result.points}) == (("defer",), WORKED)
    assert verify(tuple(held.events)) == ()
    assert csv_files(account(held.state, tuple(held.events)))["votes.csv"]


def test_a_poll_with_long_fractions_closes():
    primes = (43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97)
    drivers = tuple(Driver(name=f"driver {n}", weight=8 + (n < 4)) for n in range(len(primes)))
    voters = [Person(id=f"p-v{n}", name=f"V{n}", electorate="panel", weight=p - 1) for n, p in enumerate(primes)]
    spec = room_spec((FAY, ANN, *voters), vote=RULE).model_copy(update={"drivers": drivers})
    held = Played(spec)
    held.act(FAY, PollOpened(poll="pre"))
    ones = tuple(Given(option="adopt", driver=d.name, points=1) for d in drivers)
    held.act(ANN, BallotCast(poll="pre", given=ones))
    for voter, driver in zip(voters, drivers, strict=True):
        held.act(voter, BallotCast(poll="pre", given=(Given(option="adopt", driver=driver.name, points=0),)))
    held.act(FAY, PollClosed(poll="pre"))
    closed = held.state.room.polls["pre"].closed
    assert closed is not None
    (result,) = closed.fact.results
    exact = sum(Fraction(d.weight, 100 * p) for d, p in zip(drivers, primes, strict=True))
    assert [Fraction(p.points) for p in result.points] == [exact, 0, 0]
    assert verify(tuple(held.events)) == ()
    assert poll_points(held.state, "pre", result) == (
        f"adopt {round(float(exact), 2)}, defer 0, reject 0 (13 of 13 ballots cast, weight 811 of 811)"
    )


def test_ballots_of_other_rules_are_recorded_without_a_driver():
    assert "driver" not in Given(option="a", points=1).model_dump(mode="json", exclude_none=True)
    given = Argument(rationale="So.", ballot=(Given(option="a", points=1),)).model_dump(mode="json", exclude_none=True)
    assert given["ballot"] == [{"option": "a", "points": 1, "reason": ""}]

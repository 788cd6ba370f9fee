"""Counterfactual counts: the same ballots under another rule, bar or weight, or without a voter."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.count.ballots import BallotCounted
from debate_core.engine.count.count import Count
from debate_core.engine.count.margin_of_victory import Flip
from debate_core.engine.stage import result_of
from debate_core.record.acts import PersonJoined, PersonLeft, PollClosed, PollOpened, PollRevealed
from debate_core.report.facts.counts import counts_of, debaters_count, rules_to_try, what_if
from debate_core.spec.people import Person
from debate_core.spec.rules import Elected, Majority, Plurality, Threshold, Unanimity
from debate_core.spec.values import Given
from tests.counts import count
from tests.examples import examples
from tests.people import ANN, BEN, FAY, GUS, room_spec, whole_workshop
from tests.playing import Played

OPTIONS = ("a", "b", "c")
RULES = (
    *(Threshold(votes=n, allows_two_winners=True) for n in range(1, 5)),
    *(Plurality(), Plurality(quorum=2), Majority(), Majority(base="cast"), Unanimity()),
)


def votes(*said: str | None, weights: tuple[int, ...] = (), rule: object = None) -> Count:
    weigh = weights or (1,) * len(said)
    cast = tuple(
        BallotCounted(f"v{i}", choice=o, weight=w) for i, (o, w) in enumerate(zip(said, weigh, strict=True)) if o
    )
    silent = {f"v{i}": w for i, (o, w) in enumerate(zip(said, weigh, strict=True)) if o is None}
    return Count("debaters", rule or Threshold(votes=2), "one", OPTIONS, cast, silent, 0)  # type: ignore[arg-type]


def test_moved_bars_weights_and_exclusions_are_counted_exactly():
    said = votes("a", "a", "b", None)
    assert said.result().winners == ("a",)
    assert said.under(Threshold(votes=3, allows_two_winners=True)).result().winners == ()
    assert said.under(Plurality()).weighing({"v2": 5}).result().winners == ("b",)
    assert said.under(Plurality()).without(["v0"]).result().winners == ("a", "b")
    assert said.under(Majority()).result().winners == ()
    assert said.under(Majority()).without(["v3"]).result().winners == ("a",)
    assert said.weighing({"v0": 0}).result().winners == ()


def test_the_fewest_ballots_from_another_result():
    assert votes("a", "a", "b", None).flip() == Flip(1, exact=True, tried=1)
    assert votes("a", "a", "a", "a", "b", rule=Plurality()).flip() == Flip(2, exact=True, tried=2)
    assert votes("a", "a", "a", rule=Unanimity()).flip() == Flip(1, exact=True, tried=1)
    heavy = votes("a", "b", "b", weights=(5, 1, 1), rule=Plurality())
    assert heavy.flip() == Flip(1, exact=True, tried=1)
    many = votes(*"a" * 40, *"b" * 10, rule=Plurality())
    assert many.flip() == Flip(15, exact=True, tried=15)


@examples(60)
@given(st.lists(st.sampled_from([*OPTIONS, None]), min_size=1, max_size=4), st.sampled_from(RULES))
def test_the_fewest_ballots_are_the_fewest_of_all_ways_to_vote(said, rule):
    told = votes(*said, rule=rule)
    before, fewest = told.result().winners, []
    for other in product([*OPTIONS, None], repeat=len(said)):
        if votes(*other, rule=told.rule).result().winners != before:
            fewest.append(sum(a != b for a, b in zip(said, other, strict=True)))
    assert told.flip().ballots == min(fewest, default=None)


@examples(60)
@given(
    st.lists(st.tuples(st.permutations(OPTIONS), st.integers(1, 3)), min_size=1, max_size=6),
    st.sampled_from(["borda", "schulze", "irv", "copeland"]),
)
def test_it_is_the_count_that_counts_everything(orders, kind):
    cast = tuple(
        BallotCounted(f"v{i}", given=tuple(Given(option=o, points=p) for p, o in enumerate(order, 1)), weight=weight)
        for i, (order, weight) in enumerate(orders)
    )
    rule = Elected(kind=kind)
    told = Count("room", Elected(kind="minimax"), "ranking", OPTIONS, cast, {}, 3)
    expected = count(rule, OPTIONS, cast, eligible=[c.weight for c in cast], seed=3, kind="ranking")
    assert told.under(rule).result() == expected


def test_each_count_of_people_is_tried_apart_and_unnamed():
    held = whole_workshop()
    found = counts_of(held.state)
    assert [v.name for v in found] == [
        "debaters",
        "pre-vote of the named people",
        "pre-vote of the room",
        "final vote of the named people",
        "final vote of the room",
    ]
    assert not {"p-ann", "Ann", "p-ben", "Ben"} & {name for v in found for name in v.voters()}
    panel = result_of(held.state, "final", "panel")
    assert panel is not None
    again = found[3].result()
    assert (again.winners, again.eligible_weight) == (panel.winners, panel.weight_eligible)
    assert what_if(debaters_count(held.state))[0].winners == found[0].result().winners


def test_what_is_sealed_is_not_counted():
    held = Played(room_spec(rounds=1))
    held.act(FAY, PollOpened(poll="pre"))
    for who in (ANN, BEN, GUS):
        held.ballot(who, "pre", "defer")
    held.act(FAY, PollClosed(poll="pre"))
    held.to_the_end()
    assert [v.name for v in counts_of(held.state)] == ["debaters"]
    held.act(FAY, PollOpened(poll="final"))
    held.ballot(ANN, "final", "defer")
    held.act(FAY, PollClosed(poll="final"))
    assert [v.name for v in counts_of(held.state)] == ["debaters"]
    held.act(FAY, PollRevealed(poll="final"))
    panel = counts_of(held.state)[1]
    assert (panel.name, sum(panel.voters().values())) == ("final vote of the named people", 3)


def test_rules_begin_with_the_agreed_one_and_offer_a_bar_to_move():
    assert [r.kind for r in rules_to_try(votes("a", rule=Plurality()))][:2] == ["plurality", "threshold_vote"]
    assert rules_to_try(votes("a"))[0] == Threshold(votes=2)


def test_whoever_cast_no_ballot_weighs_what_was_agreed():
    panel = [Person(id=f"p-v{i}", name=f"V{i}", role="voter", electorate="panel", weight=2) for i in range(4)]
    held = Played(room_spec((FAY, *panel), rounds=1, decides="panel", vote=Threshold(votes=5)))
    held.go_on()
    held.to_the_end()
    held.act(FAY, PollOpened(poll="final"))
    held.ballot(panel[0], "final", "adopt")
    held.act(FAY, PersonLeft(person="p-v3"))
    held.act(FAY, PollClosed(poll="final"))
    held.act(FAY, PollRevealed(poll="final"))
    late = Person(id="p-late", name="Late", electorate="panel")
    held.act(late, PersonJoined(person=late))
    told = counts_of(held.state)[-1]
    assert told.silent == {"no ballot 1": 2, "no ballot 2": 2, "no ballot 3": 2}
    # One of them cannot bring it from 2 to 5, two can.
    assert told.flip() == Flip(2, exact=True, tried=2)


def test_another_rule_needs_the_quorum_that_was_agreed():
    # R036: of five one has voted, and no other rule makes a decision of that
    alone = votes("a", None, None, None, None, rule=Majority())
    assert {count.result().winners for count in map(alone.under, rules_to_try(alone))} == {()}
    assert alone.under(Plurality()).result().quorum == 3
    assert alone.under(Plurality(quorum=1)).result().winners == ("a",)
    assert alone.without(["v1", "v2", "v3", "v4"]).result().winners == ("a",)
    few = votes("a", None, None, rule=Majority(base="cast", quorum=1))
    assert few.under(Plurality()).result().winners == ("a",)

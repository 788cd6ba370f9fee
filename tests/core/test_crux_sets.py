"""The smallest sets of claims and voters that change a result, against brute force in 1,000 simulated rooms."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from random import Random

import pytest

from debate_core.engine.count import crux
from debate_core.engine.count.ballots import BallotCounted, tops
from debate_core.engine.count.count import Count, Options
from debate_core.engine.count.crux import SupposedAnswers
from debate_core.engine.count.margin_of_victory import NOTHING, Paper, alone
from debate_core.engine.count.methods import METHODS
from debate_core.spec.protocol import Driver
from debate_core.spec.rules import CountedRule, Threshold, Unanimity, ballot_kind
from debate_core.spec.values import Given
from tests.core.test_margin_of_victory import papers

RULES: tuple[CountedRule, ...] = (*(method.rule for method in METHODS.values()), Threshold(votes=2), Unanimity())
ROOMS = 1_000
DRIVERS = (Driver(name="cost", weight=2), Driver(name="speed", weight=1))


def rooms() -> Iterator[tuple[Count, SupposedAnswers]]:
    """Rooms of two to five voters under every rule in turn, with a ballot, an abstention or none, and some answers."""
    for number in range(ROOMS):
        rng = Random(number)
        rule = RULES[number % len(RULES)]
        options = ("a", "b") if ballot_kind(rule) == "score" else ("a", "b", "c")
        claims = ("k1", "k2", "k3")[: rng.randint(1, 3)]
        voters = {f"v{place}": rng.choice((1, 1, 2)) for place in range(rng.randint(2, 4))}
        silent = {voter: weight for voter, weight in voters.items() if rng.random() < 0.1}
        cast = tuple(_ballot(rng, rule, options, v, w) for v, w in voters.items() if v not in silent)
        if rng.random() < 0.5:
            rule = rule.model_copy(update={"tie": ("lot",)})
        answers = {
            claim: {b.voter: rng.choice((*options, "abstain")) for b in cast if rng.random() < 0.8} for claim in claims
        }
        yield Count("room", rule, ballot_kind(rule), options, cast, silent, seed=number, drivers=DRIVERS), answers


def _ballot(rng: Random, rule: CountedRule, options: Options, voter: str, weight: int) -> BallotCounted:
    kind = ballot_kind(rule)
    if kind == "criteria":
        given = tuple(Given(option=o, points=rng.randint(0, 5), driver=d.name) for o, d in product(options, DRIVERS))
        return BallotCounted(voter, None, given, weight)
    choice, given = rng.choice(papers(kind))
    known = tuple(g for g in given if g.option in options)
    return BallotCounted(voter, choice, known, weight)


def brute_results(
    count: Count, answers: SupposedAnswers, claims: tuple[str, ...], counted: Callable[[tuple[Paper, ...]], Options]
) -> set[Options]:
    """Every result if these claims were false, by trying every answer of every unknown voter."""
    possible = [[*_papers_if(count, ballot, answers, claims)] for ballot in count.ballots]
    return {counted(chosen) for chosen in product(*possible)}


def counter(count: Count) -> Callable[[tuple[Paper, ...]], Options]:
    """Winners by the papers of the voters; sets of claims share most of their papers."""

    @cache
    def winners(papers_cast: tuple[Paper, ...]) -> Options:
        voters = zip(count.ballots, papers_cast, strict=True)
        return count.result_with([BallotCounted(b.voter, *paper, weight=b.weight) for b, paper in voters]).winners

    return winners


def _papers_if(
    count: Count, ballot: BallotCounted, answers: SupposedAnswers, claims: tuple[str, ...]
) -> Iterator[Paper]:
    now = (ballot.choice, ballot.given)
    said = [answers[claim].get(ballot.voter) for claim in claims]
    moves = {paper for answer in said if answer and (paper := _then(count, ballot, answer)) != now}
    if None not in said and len(moves) <= 1:
        yield from moves or {now}
        return
    yield now
    yield from (_then(count, ballot, answer) for answer in (*count.options, "abstain"))


def _then(count: Count, ballot: BallotCounted, answer: str) -> Paper:
    if answer == "abstain":
        return NOTHING if ballot.says() else (ballot.choice, ballot.given)
    if tops(count.kind, ballot, count.drivers) == (answer,):
        return ballot.choice, ballot.given
    return alone(count, answer)


@pytest.mark.slow
def test_claim_sets_equal_brute_force_in_1000_rooms():
    flipping = open_ = 0
    for count, answers in rooms():
        before = count.result().winners
        counted = counter(count)
        results = {
            claims: brute_results(count, answers, claims, counted)
            for size in range(1, len(answers) + 1)
            for claims in combinations(answers, size)
        }
        certain = [claims for claims, found in results.items() if before not in found]
        smallest = min(map(len, certain), default=len(answers))
        examined = [found for claims, found in results.items() if len(claims) <= smallest]
        found = crux.claim_sets(count, answers)
        assert [one.claims for one in found.sets] == [claims for claims in certain if len(claims) == smallest]
        assert found.exact == all(before not in each or each == {before} for each in examined)
        assert all(set(one.results or ()) == results[one.claims] for one in found.sets)
        flipping += bool(found.sets)
        open_ += not found.exact
    assert flipping > 200
    assert open_ > 200


@pytest.mark.slow
def test_voter_sets_equal_brute_force_in_1000_rooms():
    said = 0
    for count, _answers in rooms():
        found = crux.voter_sets(count)
        if found.sets is None or not found.size or found.size > 2 or count.kind in ("score", "dots"):
            continue
        said += 1
        silent = [BallotCounted(voter, weight=weight) for voter, weight in count.silent.items()]
        voters = [*count.ballots, *silent]
        smaller = [each for size in range(1, found.size) for each in combinations(voters, size)]
        assert not any(_flips(count, each) for each in smaller)
        expected = {
            frozenset(b.voter for b in each) for each in combinations(voters, found.size) if _flips(count, each)
        }
        assert {who for row in found.sets for who in _members(voters, row)} == expected
    assert said > 500


def _flips(count: Count, voters: tuple[BallotCounted, ...]) -> bool:
    """True if some papers of these voters give another result."""
    before = count.result().winners
    stay = [ballot for ballot in count.ballots if ballot not in voters]
    for chosen in product(papers(count.kind), repeat=len(voters)):
        moved = [BallotCounted(b.voter, *paper, weight=b.weight) for b, paper in zip(voters, chosen, strict=True)]
        if count.result_with([*stay, *moved]).winners != before:
            return True
    return False


def _members(voters: list[BallotCounted], row: tuple[tuple[BallotCounted, int], ...]) -> Iterator[frozenset[str]]:
    """Every set of voters in one row."""
    choices = []
    for like, number in row:
        alike = [b.voter for b in voters if (b.choice, b.given, b.weight) == (like.choice, like.given, like.weight)]
        choices.append([*combinations(alike, number)])
    for chosen in product(*choices):
        yield frozenset(voter for part in chosen for voter in part)


def test_supposition_beyond_its_bound_has_no_result():
    count = Count(
        "room", Threshold(votes=9), "one", ("a", "b", "c"), tuple(BallotCounted(f"v{n}", "a") for n in range(12))
    )
    found = crux.suppose(count, {"k1": {}}, ("k1",), counts=20)
    assert (found.results, found.flips, found.unknown) == (None, None, 12)

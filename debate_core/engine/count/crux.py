"""The smallest sets of claims, and of voters, that change a result.

Knows ballots, rules and answers to "if that were not so?", no debate and no poll.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, combinations_with_replacement, product
from math import comb, prod

from debate_core.engine.count import margin_of_victory
from debate_core.engine.count.ballots import BallotCounted, tops
from debate_core.engine.count.count import Count, Options
from debate_core.engine.count.margin_of_victory import MAX_COUNTS, NOTHING, Paper
from debate_core.spec.values import ABSTAIN

SupposedAnswers = Mapping[str, Mapping[str, str]]
"""Claim -> voter -> the option that they would choose if the claim were false, or "abstain"."""


@dataclass(frozen=True, slots=True)
class Supposition:
    """A result if all these claims were false.

    A set combines the answers about its claims. One answer for another option moves the voter. Answers for different
    other options make the voter unknown, and so does a missing answer.
    """

    claims: tuple[str, ...]
    switched: int
    """Voters who would change their ballot."""
    unknown: int
    results: tuple[Options, ...] | None
    """Every result that the unknown answers allow, sorted; None if `flips` is None."""
    flips: bool | None
    """True or False if all possible answers of the unknown voters agree; None if they do not, or are too many."""


@dataclass(frozen=True, slots=True)
class ClaimSets:
    """The smallest sets of claims that certainly change the result; () = none.

    `exact` False: unknown answers leave it open whether another set, not larger than these, does too.
    """

    sets: tuple[Supposition, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class VoterSets:
    """The smallest sets of voters who could change the result by casting other ballots.

    `sets` has one row a kind of set: ballot -> number of voters; voters with equal ballots and weights are alike.
    `size` None: no number of voters was found. `sets` None: not every set of this size was examined within the bound.
    """

    size: int | None
    sets: tuple[tuple[tuple[BallotCounted, int], ...], ...] | None


def suppose(count: Count, answers: SupposedAnswers, claims: Sequence[str], *, counts: int = MAX_COUNTS) -> Supposition:
    """Count again as if these claims were false, with every answer that an unknown voter could give."""
    known: list[BallotCounted] = []
    unknown: list[BallotCounted] = []
    switched = 0
    for ballot in count.ballots:
        paper = _paper_if(count, ballot, [answers.get(claim, {}).get(ballot.voter) for claim in claims])
        if paper is None:
            unknown.append(ballot)
            continue
        switched += paper != (ballot.choice, ballot.given)
        known.append(_with(ballot, paper))
    before = count.result().winners
    found: set[Options] = set()
    for rest in _completions(count, unknown, counts):
        found.add(count.result_with((*known, *rest)).winners)
        if before in found and len(found) > 1:
            break
    if not found or (before in found and len(found) > 1):
        return Supposition(tuple(claims), switched, len(unknown), None, None)
    return Supposition(tuple(claims), switched, len(unknown), tuple(sorted(found)), before not in found)


def claim_sets(count: Count, answers: SupposedAnswers, *, counts: int = MAX_COUNTS) -> ClaimSets:
    """The smallest sets of claims whose falsity certainly changes the result; `counts` bounds each set."""
    exact = True
    for size in range(1, len(answers) + 1):
        supposed = [suppose(count, answers, claims, counts=counts) for claims in combinations(answers, size)]
        exact = exact and all(one.flips is not None for one in supposed)
        if sets := tuple(one for one in supposed if one.flips):
            return ClaimSets(sets, exact)
    return ClaimSets((), exact)


def voter_sets(count: Count, *, counts: int = MAX_COUNTS) -> VoterSets:
    """The smallest sets of voters who could change the result; `counts` bounds each of the two searches."""
    flip = count.flip(counts=counts)
    papers = margin_of_victory.papers(count)
    if flip.ballots is None or not flip.exact or not papers:
        return VoterSets(flip.ballots, None)
    before = count.result().winners
    groups = margin_of_victory.alike(count)
    found = list[tuple[tuple[BallotCounted, int], ...]]()
    for chosen in _multisets(groups, flip.ballots):
        moved = _first_voters(groups, chosen)
        for ballots in _recast(count, moved, papers):
            counts -= 1
            if counts < 0:
                return VoterSets(flip.ballots, None)
            if count.result_with(ballots).winners != before:
                found.append(tuple((groups[place][0], number) for place, number in chosen))
                break
    return VoterSets(flip.ballots, tuple(found))


def _first_voters(groups: Sequence[Sequence[BallotCounted]], chosen: Sequence[tuple[int, int]]) -> list[BallotCounted]:
    """The first voters of each chosen group of alike ones, as many as chosen."""
    return [voter for place, number in chosen for voter in groups[place][:number]]


def _paper_if(count: Count, ballot: BallotCounted, answers: Sequence[str | None]) -> Paper | None:
    """The ballot that these answers of one voter make; None if it is unknown."""
    now = (ballot.choice, ballot.given)
    moves: set[Paper] = set()
    for answer in answers:
        if answer is None:
            return None
        moves.add(_paper_for(count, ballot, answer))
    moves.discard(now)
    if len(moves) > 1:
        return None
    return moves.pop() if moves else now


def _paper_for(count: Count, ballot: BallotCounted, answer: str) -> Paper:
    """The whole ballot stays if the answer is what it ranks first; else a ballot for that option alone."""
    first = tops(count.kind, ballot, count.drivers)
    if first == (answer,) or (answer == ABSTAIN and not ballot.says()):
        return ballot.choice, ballot.given
    return NOTHING if answer == ABSTAIN else margin_of_victory.alone(count, answer)


def _completions(count: Count, unknown: Sequence[BallotCounted], most: int) -> Iterator[tuple[BallotCounted, ...]]:
    """Every way in which these voters could answer, voters with equal ballots and weights being alike.

    Nothing if there are more than `most` ways.
    """
    alike: dict[object, list[BallotCounted]] = {}
    for ballot in unknown:
        alike.setdefault((ballot.choice, ballot.given, ballot.weight), []).append(ballot)
    groups = [(voters, [*dict.fromkeys(_answerable(count, voters[0]))]) for voters in alike.values()]
    if prod(comb(len(voters) + len(papers) - 1, len(voters)) for voters, papers in groups) > most:
        return
    each = (combinations_with_replacement(papers, len(voters)) for voters, papers in groups)
    for chosen in product(*each):
        pairs = zip(groups, chosen, strict=True)
        yield tuple(chain.from_iterable(_cast(voters, papers) for (voters, _papers), papers in pairs))


def _answerable(count: Count, ballot: BallotCounted) -> Iterator[Paper]:
    """Every ballot that an answer of this voter could make, the present one first."""
    yield ballot.choice, ballot.given
    for answer in (*count.options, ABSTAIN):
        yield _paper_for(count, ballot, answer)


def _cast(voters: Iterable[BallotCounted], papers: Iterable[Paper]) -> list[BallotCounted]:
    return [_with(voter, paper) for voter, paper in zip(voters, papers, strict=True)]


def _with(ballot: BallotCounted, paper: Paper) -> BallotCounted:
    choice, given = paper
    return BallotCounted(ballot.voter, choice, given, ballot.weight)


def _multisets(groups: Sequence[Sequence[object]], size: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every choice of `size` voters as (group, number), where the members of a group are alike."""
    for places in combinations_with_replacement(range(len(groups)), size):
        chosen = Counter(places)
        if all(number <= len(groups[place]) for place, number in chosen.items()):
            yield tuple(sorted(chosen.items()))


def _recast(count: Count, moved: Sequence[BallotCounted], papers: Sequence[Paper]) -> Iterator[list[BallotCounted]]:
    """Every way in which these voters cast other ballots."""
    stay = [ballot for ballot in count.ballots if ballot not in moved]
    for chosen in product(papers, repeat=len(moved)):
        yield stay + _cast(moved, chosen)

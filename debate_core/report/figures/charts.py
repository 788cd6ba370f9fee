"""The charts that a debate has, in the order in which a file shows them."""

from collections.abc import Iterator

from debate_core.engine.stage import ELECTORATES
from debate_core.report.facts import judgements
from debate_core.report.facts.account import Account
from debate_core.report.facts.swing import has_swing
from debate_core.report.figures import judges, polls, ranking, result, votes
from debate_core.report.figures.chart import Chart


def charts_of(account: Account) -> Iterator[Chart]:
    """Charts with something to show; none of them shows what is sealed."""
    state = account.state
    yield from _charts_of_counts(account)
    if polls.seat_pairs(account):
        yield polls.PAIRS
    if has_swing(state):
        yield from (polls.TRANSITIONS[electorate] for electorate in ELECTORATES if polls.moves(account, electorate))
    if judgements.revealed_together(state):
        yield judges.BELIEFS
    if account.rubrics:
        yield judges.RUBRIC
    if account.usage:
        yield votes.USAGE


def _charts_of_counts(account: Account) -> Iterator[Chart]:
    counted = account.state.counted
    has_result = result.has_result(account)
    if has_result:
        yield result.RESULT
    if account.ruling.is_compared:
        if account.compared:
            yield ranking.RANKING
    elif len(counted) > 1 or (counted and not has_result):
        yield votes.ROUNDS

"""The charts that a debate has, in the order in which a file shows them."""

from collections.abc import Iterator

from debate_core.report.facts import judgements
from debate_core.report.facts.account import Account
from debate_core.report.facts.swing import has_first_choices
from debate_core.report.facts.vote_bars import VOTERS, Voters, polls_of
from debate_core.report.figures import judges, polls, ranking, result, votes
from debate_core.report.figures.chart import Chart


def charts_of(account: Account) -> Iterator[Chart]:
    """Charts with something to show; none of them shows what is sealed."""
    state = account.state
    decided = result.vote_of(account, None)
    if decided:
        yield result.RESULT
        yield from result.charts_behind(account, decided.voters)
    if account.ruling.is_compared and account.compared:
        yield ranking.RANKING
    for voters in VOTERS:
        yield from courses_of(account, voters)
    if judgements.revealed_together(state):
        yield judges.BELIEFS
    if account.rubrics:
        yield judges.RUBRIC
    if account.usage:
        yield votes.USAGE


def courses_of(account: Account, voters: Voters) -> Iterator[Chart]:
    """Charts of the course of the votes of these voters: where they went, and every count."""
    vote = result.vote_of(account, voters)
    if vote and not has_first_choices(vote.rule):
        return
    drawn = 0 if vote is None else 1
    if polls.moves(account, voters):
        yield polls.TRANSITIONS[voters]
        # The flows show the first and the last count.
        drawn = 2
    if len(polls_of(account, voters)) > drawn and not account.ruling.is_compared:
        yield votes.ROUNDS[voters]

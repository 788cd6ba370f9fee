"""Ballots, verdicts and syntheses that contradict their own text, in sentences."""

from collections.abc import Sequence

from debate_core.engine.count.count import Count
from debate_core.language import _, _n, format_number, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.contradictions import Contradiction
from debate_core.report.facts.counts import number
from debate_core.report.words.counts import count_words
from debate_core.spec.values import in_words
from debate_core.text import capitalized, line

MAX_NAMED = 6


def contradicting_words(account: Account) -> str:
    """`3 of 4 ballots contradict their own text; judge argues for adopt and names defer`; empty if nothing does."""
    return "; ".join(filter(None, (_ballots_words(account), _named_words(account))))


def _named_words(account: Account) -> str:
    each = (
        _(
            "{seat} argues for {argues_for} and names {named}",
            seat=in_words(row.seat),
            argues_for=line(row.argues_for),
            named=line(row.named),
        )
        for row in account.named_otherwise
    )
    return "; ".join(each)


def _ballots_words(account: Account) -> str:
    """`3 of 4 ballots contradict their own text`."""
    found = account.contradictions
    if not found.rows:
        return ""
    which = _n(found.ballots, "{rows} of {n} ballot", "{rows} of {n} ballots", rows=len(found.rows))
    told = _n(len(found.rows), "{which} contradicts its own text", "{which} contradict their own text", which=which)
    if all(row.counts for row in found.rows):
        return told
    return _n(
        len(found.rows),
        "{told}, and abstains by what was agreed",
        "{told}, and abstain by what was agreed",
        told=told,
    )


def contradiction_sentence(account: Account, *, with_ids: bool = True) -> str:
    """The same with each such ballot, and the count with and without them; empty if there is none."""
    found = account.contradictions
    others = _named_words(account)
    if others:
        others = f"{capitalized(others)}."
    if not found.rows:
        return others
    named = f": {_each_ballot(found.rows)}" if with_ids else ""
    told = f"{_ballots_words(account)}{named}.{_with_and_without(found.with_them, found.without)}"
    return f"{told} {others}".strip()


def _each_ballot(rows: Sequence[Contradiction]) -> str:
    """The first of them, and how many more there are."""
    each = [
        _(
            "{seat} argues for {argues_for} and votes for {chosen}",
            seat=line(row.seat),
            argues_for=line(row.argues_for),
            chosen=spoken_list([*map(line, row.ballot)]),
        )
        for row in rows
    ]
    told = "; ".join(each[:MAX_NAMED])
    more = len(each) - MAX_NAMED
    return told if more <= 0 else f"{told}{_('; and {more} more', more=more)}"


def _with_and_without(with_them: Count | None, without: Count | None) -> str:
    if with_them is None or without is None:
        return ""
    return _(
        " With them the rule says: {with_them}. Without them: {without_them}.",
        with_them=_said(with_them),
        without_them=_said(without),
    )


def _said(count: Count) -> str:
    """`defer (adopt 1, defer 3)`."""
    result = count.result()
    points = ", ".join(f"{line(option)} {format_number(number(result.points[option]))}" for option in count.options)
    return f"{count_words(result)} ({points})"

"""Ballots, verdicts and syntheses that contradict their own text, in sentences."""

from collections.abc import Sequence

from debate_core.engine.count.count import Count
from debate_core.language import _, _n, format_number, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.contradictions import Contradiction, Contradictions
from debate_core.report.facts.counts import number
from debate_core.report.phrases.counts import count_words
from debate_core.spec.values import in_words
from debate_core.text import capitalized, line

MAX_NAMED = 6


def contradicting_words(account: Account) -> str:
    """`3 of 4 ballots contradict their own text; judge argues for adopt and names defer`; empty without any."""
    return "; ".join(filter(None, (_ballots_words(account), _seats_words(account))))


def _seats_words(account: Account) -> str:
    return "; ".join(
        _(
            "{seat} argues for {argues_for} and names {named}",
            seat=in_words(row.seat),
            argues_for=line(row.argues_for),
            named=line(row.named),
        )
        for row in account.named_otherwise
    )


def _ballots_words(account: Account) -> str:
    found = account.contradictions
    if not found.rows:
        return ""
    rows = len(found.rows)
    which = _n(found.ballots, "{rows} of {n} ballot", "{rows} of {n} ballots", rows=rows)
    words = _n(rows, "{which} contradicts its own text", "{which} contradict their own text", which=which)
    if all(row.counts for row in found.rows):
        return words
    return _n(rows, "{words}, and counts as an abstention", "{words}, and count as abstentions", words=words)


def contradiction_sentence(account: Account, *, with_ids: bool = True) -> str:
    """The contradicting ballots one by one, and the count with and without them; empty if there are none."""
    found = account.contradictions
    seats = _seats_words(account)
    if seats:
        seats = f"{capitalized(seats)}."
    if not found.rows:
        return seats
    ballots = f": {_list_ballots(found.rows)}" if with_ids else ""
    words = f"{_ballots_words(account)}{ballots}.{_with_and_without(found)}"
    return f"{words} {seats}".strip()


def _list_ballots(rows: Sequence[Contradiction]) -> str:
    """The first `MAX_NAMED` ballots, and the number of the others."""
    each = [
        _(
            "{seat} argues for {argues_for} and votes for {chosen}",
            seat=in_words(row.seat),
            argues_for=line(row.argues_for),
            chosen=spoken_list([*map(line, row.ballot)]),
        )
        for row in rows
    ]
    first = "; ".join(each[:MAX_NAMED])
    more = len(each) - MAX_NAMED
    return first if more <= 0 else f"{first}{_('; and {more} more', more=more)}"


def _with_and_without(found: Contradictions) -> str:
    if found.with_them is None or found.without is None:
        return ""
    return _n(
        len(found.rows),
        " With it the rule says: {with_them}. Without it: {without_them}.",
        " With them the rule says: {with_them}. Without them: {without_them}.",
        with_them=_result_words(found.with_them),
        without_them=_result_words(found.without),
    )


def _result_words(count: Count) -> str:
    """`defer (adopt 1, defer 3)`."""
    result = count.result()
    points = ", ".join(f"{line(option)} {format_number(number(result.points[option]))}" for option in count.options)
    return f"{count_words(result)} ({points})"

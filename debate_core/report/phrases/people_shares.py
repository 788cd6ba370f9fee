"""Words and questions of each person, and steering words that name an option, as sentences."""

from collections.abc import Sequence

from debate_core.language import _, _n, format_number, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.people_shares import PersonShare, people_shares, steering_words
from debate_core.report.facts.turns import ShareRow
from debate_core.text import line

MAX_POINTS = 2
"""Percentage points between shares that one sentence tells together."""
MAX_NAMED = 8
"""People named one by one, those with most words first."""


def alike_shares_sentence(rows: Sequence[ShareRow]) -> str:
    """`Each of the 4 seats had 6 turns, and 24 to 26 % of all words.`; empty if turns or shares differ."""
    shares = sorted(round(100 * row.share) for row in rows)
    turns = {row.turns for row in rows}
    if len(rows) < 2 or len(turns) > 1 or shares[-1] - shares[0] > MAX_POINTS:
        return ""
    share = format_number(shares[0] / 100, ".0%")
    if shares[0] < shares[-1]:
        share = _("{low} to {high}", low=shares[0], high=format_number(shares[-1] / 100, ".0%"))
    return _n(
        turns.pop(),
        "Each of the {seats} seats had {n} turn, and {share} of all words.",
        "Each of the {seats} seats had {n} turns, and {share} of all words.",
        seats=len(rows),
        share=share,
    )


def people_shares_sentence(account: Account) -> str:
    """`Words of people: Ana 62 % (2 questions), Ben 38 %.`; empty without a word of a person."""
    rows = account.once(people_shares)
    if not rows:
        return ""
    shares = [_share_words(row) for row in rows[:MAX_NAMED]]
    if others := rows[MAX_NAMED:]:
        rest = format_number(sum(row.share for row in others), ".0%")
        shares.append(_n(len(others), "{n} other person {rest}", "{n} other people {rest}", rest=rest))
    return _("Words of people: {shares}.", shares=", ".join(shares))


def _share_words(row: PersonShare) -> str:
    share = f"{line(row.name)} {format_number(row.share, '.0%')}"
    if not row.questions:
        return share
    return f"{share} ({_n(row.questions, '{n} question', '{n} questions')})"


def steering_words_sentence(account: Account) -> str:
    """Directives and messages to all seats that name an option; empty without any directive or message."""
    rows = account.once(steering_words)
    if not rows:
        return ""
    naming = [
        _(
            "round {round}, by {by}: {options}",
            round=row.round,
            by=line(row.by),
            options=spoken_list([line(option) for option in row.names_options]),
        )
        for row in rows
        if row.names_options
    ]
    where = f" ({'; '.join(naming)})" if naming else ""
    return _n(
        len(rows),
        "{naming} of {n} directive or message to all seats names an option{where}.",
        "{naming} of {n} directives and messages to all seats name an option{where}.",
        naming=len(naming),
        where=where,
    )

"""The ranked recommendation in sentences, with the remark that it is no count."""

from debate_core.language import _, _n, format_number, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.recommendation import RankedOptions, RecommendedRow
from debate_core.text import line


def place_words(row: RecommendedRow) -> str:
    """`1`, `2 (tie)`, `unknown`."""
    if row.place is None:
        return _("unknown")
    return _("{place} (tie)", place=row.place) if row.tied else str(row.place)


def points_words(row: RecommendedRow) -> str:
    """`8.5`, `unknown`."""
    return _("unknown") if row.points is None else format_number(round(row.points, 2), "g")


def place_lines(found: RankedOptions) -> list[str]:
    """`Place 1: Postgres (8.5 of 10)`, one line for each option."""
    lines = []
    for row in found.rows:
        option = line(row.option)
        if row.place is None:
            lines.append(_("Place unknown: {option}", option=option))
            continue
        points = _("{points} of 10", points=points_words(row))
        if found.ranked_by == "ballots":
            points = _("{points} points", points=points_words(row))
        lines.append(_("Place {place}: {option} ({points})", place=place_words(row), option=option, points=points))
    return lines


def ranked_by_sentence(found: RankedOptions) -> str:
    """The source of the ranking, and of places that are unknown."""
    if not found.given:
        if found.ranked_by == "ballots":
            return _("No ballot ranks the options, so every place is unknown.")
        return _("No evaluator scored the arguments, so every place is unknown.")
    if found.ranked_by == "ballots":
        return _n(
            found.given,
            "By {n} ranked ballot: an option gets a point for every option that is ranked below it (Borda).",
            "By {n} ranked ballots: an option gets a point for every option that a ballot ranks below it (Borda).",
        )
    words = _n(
        found.given,
        "By the last scores of {n} evaluator, from 1 to 10, for the arguments of the seats that defend each option.",
        "By the mean of the last scores of {n} evaluators, from 1 to 10, for the arguments of the seats that defend "
        "each option.",
    )
    if any(row.place is None for row in found.rows):
        return _("{words} An option without a score has no known place.", words=words)
    return words


def no_count_sentence(account: Account) -> str:
    """The remark that the agreed rule decides, and a first place that differs from the decision."""
    words = _("This ranking is no count and decides nothing: the decision follows the agreed rule.")
    found = account.recommendation
    decided = account.decision.option
    first = [row.option for row in found.rows if row.place == 1] if found else []
    if not first or decided is None or decided in first:
        return words
    return _(
        "{words} The ranking puts {first} first; the decision is {decided}.",
        words=words,
        first=spoken_list([*map(line, first)]),
        decided=line(decided),
    )


def recommendation_table(found: RankedOptions) -> list[dict[str, object]]:
    """One row for each option."""
    points = _("Score, 1 to 10") if found.ranked_by == "scores" else _("Points")
    return [{_("Place"): place_words(row), _("Option"): row.option, points: points_words(row)} for row in found.rows]

"""Did the debate help? What the same models say without one, in sentences with what they rest on."""

from collections.abc import Iterator
from fractions import Fraction

from debate_core.engine.baselines import pending
from debate_core.language import _, _n, format_number
from debate_core.report.facts.account import Account
from debate_core.report.facts.baselines import BaselineRow, agreed_from_the_start, baseline_rows


def baseline_sentences(account: Account) -> tuple[str, ...]:
    """One line for each comparison, and one where everybody agreed before the debate; () without either."""
    return tuple(_lines(account))


def _lines(account: Account) -> Iterator[str]:
    for row in baseline_rows(account.state):
        yield " ".join(filter(None, (_answer(row), _multiples(row))))
    for name in pending(account.state):
        if name == "single_call":
            yield _("A single answer without the debate was asked for, and has not come.")
        else:
            yield _("A vote of single answers was asked for, and has not come.")
    if option := agreed_from_the_start(account.state):
        yield _(
            "All {n} seats named {option} in their first ballot, before they had read one another: the debate added "
            "little to the decision.",
            n=account.state.counted[0].tally.eligible,
            option=option,
        )


def _answer(row: BaselineRow) -> str:
    return _of_one(row) if row.name == "single_call" else _of_many(row)


def _of_one(row: BaselineRow) -> str:
    if not row.answered:
        return _("A single answer without the debate was asked for, and none came: {why}.", why=row.why.rstrip("."))
    if row.answer is None:
        return _("A single answer without the debate names no option.")
    if row.debate_answer is None:
        return _("A single answer without the debate is {answer}; the debate decided nothing.", answer=row.answer)
    if row.same:
        return _("A single answer without the debate is the same: {answer}.", answer=row.answer)
    return _("A single answer without the debate is another one: {answer}.", answer=row.answer)


def _of_many(row: BaselineRow) -> str:
    if not row.answered:
        return _n(
            row.calls,
            "A vote of single answers was asked for, and {n} call was not answered: {why}.",
            "A vote of single answers was asked for, and none of {n} calls was answered: {why}.",
            why=row.why.rstrip("."),
        )
    rests = _n(row.calls, "{answered} of {n} call answered", "{answered} of {n} calls answered", answered=row.answered)
    if row.answer is None:
        return _("A vote of single answers decides nothing ({rests}).", rests=rests)
    votes = _n(row.votes, "{n} vote", "{n} votes")
    places = {"answer": row.answer, "votes": votes, "rests": rests}
    if row.debate_answer is None:
        return _(
            "A vote of single answers decides for {answer} with {votes} ({rests}); the debate decided nothing.",
            **places,
        )
    if row.same:
        return _("A vote of single answers decides the same, {answer}, with {votes} ({rests}).", **places)
    return _("A vote of single answers decides otherwise, for {answer}, with {votes} ({rests}).", **places)


def _multiples(row: BaselineRow) -> str:
    """What the debate cost and took beside it."""
    if not row.answered:
        return ""
    price = row.price_multiple
    time = row.latency_multiple
    if price is not None and time is not None:
        return _("The debate cost {price} times as much and took {time} times as long.", price=_x(price), time=_x(time))
    if price is not None:
        return _("The debate cost {price} times as much.", price=_x(price))
    if time is not None:
        return _("The debate took {time} times as long; how their prices compare cannot be said.", time=_x(time))
    return _("How prices and times compare is not known.")


def _x(multiple: Fraction) -> str:
    return format_number(float(multiple), ".1f")

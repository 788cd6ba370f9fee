"""Sentences that compare the debate with answers of the same models without a debate."""

from collections.abc import Iterator
from fractions import Fraction

from debate_core.engine.baselines import pending
from debate_core.language import Words, _, _n, format_number
from debate_core.report.facts.account import Account
from debate_core.report.facts.baselines import (
    BaselineRow,
    agreed_from_the_start,
    baseline_rows,
    debate_seconds,
    debate_tokens,
)
from debate_core.report.facts.usage import usage_rows, used_in
from debate_core.spec.values import BaselineName
from debate_core.text import line

_METHODS: Words[BaselineName] = Words(
    {
        "single_call": "A single answer without the debate",
        "self_consistency": "A vote of single answers",
        "supervised_answer": "A supervised answer",
    }
)


def baseline_sentences(account: Account) -> tuple[str, ...]:
    """One sentence for each comparison, and one if all seats agreed before the debate; () without either."""
    return tuple(_sentences(account))


def _sentences(account: Account) -> Iterator[str]:
    for row in baseline_rows(account.state):
        answer = _vote_of_answers(row) if row.name == "self_consistency" else _one_answer(row)
        yield f"{answer} {_multiples(row)}".rstrip()
    for name in pending(account.state):
        yield _("{method} was requested and is still missing.", method=_METHODS[name])
    if option := agreed_from_the_start(account.state):
        yield _(
            "All {n} seats named {option} on their first ballot, before they had read each other: the debate added "
            "little to the decision.",
            n=account.state.counted[0].tally.eligible,
            option=option,
        )


def _one_answer(row: BaselineRow) -> str:
    method = _METHODS[row.name]
    if not row.answered:
        return _("{method} was requested, but none came: {why}.", method=method, why=row.why.rstrip("."))
    if row.answered < row.calls:
        return _("{method} was requested, but it is not complete: {why}.", method=method, why=row.why.rstrip("."))
    if row.answer is None:
        return _("{method} names no option.", method=method)
    if row.debate_answer is None:
        return _("{method} is {answer}; the debate decided nothing.", method=method, answer=row.answer)
    if row.same:
        return _("{method} is the same: {answer}.", method=method, answer=row.answer)
    return _("{method} is different: {answer}.", method=method, answer=row.answer)


def _vote_of_answers(row: BaselineRow) -> str:
    if not row.answered:
        return _n(
            row.calls,
            "A vote of single answers was requested, but {n} call was not answered: {why}.",
            "A vote of single answers was requested, but none of {n} calls was answered: {why}.",
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
    return _("A vote of single answers decides differently, for {answer}, with {votes} ({rests}).", **places)


def baseline_table(account: Account) -> list[dict[str, str]]:
    """The debate and each baseline with answer, calls, tokens, cost and time; unknown figures are marked as such."""
    state = account.state
    rows = baseline_rows(state)
    if not rows:
        return []
    used = used_in(usage_rows(state))
    option = rows[0].debate_answer
    debate = _table_row(_("The debate"), option, used.calls, debate_tokens(state), used.cost_usd, debate_seconds(state))
    others = [_table_row(_METHODS[r.name], r.answer, r.calls, r.tokens, r.cost_usd, r.took_s) for r in rows]
    return [debate, *others]


def _table_row(
    name: str, answer: str | None, calls: int, tokens: int | None, cost: str | None, seconds: float | None
) -> dict[str, str]:
    return {
        _("Method"): name,
        _("Answer"): line(answer) if answer else _("none"),
        _("Calls"): str(calls),
        _("Tokens"): _known(tokens, ","),
        _("USD"): cost or _("unknown"),
        _("Seconds"): _known(seconds, ".1f"),
    }


def _known(number: float | None, form: str) -> str:
    return _("unknown") if number is None else format_number(number, form)


def _multiples(row: BaselineRow) -> str:
    """Cost and time of the debate as multiples of the baseline's."""
    if not row.answered:
        return ""
    price = row.price_multiple
    time = row.latency_multiple
    if price is not None and time is not None:
        return _("The debate cost {price} times as much and took {time} times as long.", price=_x(price), time=_x(time))
    if price is not None:
        return _("The debate cost {price} times as much.", price=_x(price))
    if time is not None:
        return _("The debate took {time} times as long; the prices cannot be compared.", time=_x(time))
    return _("Prices and times cannot be compared.")


def _x(multiple: Fraction) -> str:
    return format_number(float(multiple), ".1f")

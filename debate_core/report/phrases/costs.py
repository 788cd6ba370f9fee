"""Models, use, cost and limits in words: the part "Models and cost" of reports.

An unknown figure is shown as unknown. The numbers come from `usage`.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from debate_core.language import _, _n, format_number, message, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.usage import LimitRow, UsageRow, Used, family_of, used_by_reply, used_in
from debate_core.report.phrases.limits import limit_words
from debate_core.spec.models import Template
from debate_core.spec.protocol import Spec
from debate_core.spec.rotation import each_by_model
from debate_core.spec.values import Seat, Usage

UNKNOWN = message("unknown")


def usd_words(amount: str) -> str:
    """`0.0312 USD`: four decimals, below a cent two digits that are not 0; `0 USD`."""
    value = Decimal(amount)
    if not value:
        return _("{amount} USD", amount=0)
    if value < Decimal("0.01"):
        return _("{amount:f} USD", amount=value.quantize(Decimal(1).scaleb(value.adjusted() - 1)).normalize())
    rounded = value.quantize(Decimal("0.0001"))
    short = rounded.normalize()
    cents = short.quantize(Decimal("0.01"))
    return _("{amount:f} USD", amount=cents if cents == short else short)


def cost_words(used: Used) -> str:
    """Cost of calls, and the number of calls without a known price and of calls under way."""
    if not used.calls:
        return _("no call was made")
    words = _of_ended_calls(used)
    if used.estimated:
        words += _(" (estimated in part)")
    if used.calls_under_way:
        words += _n(used.calls_under_way, " so far, {n} call under way", " so far, {n} calls under way")
    return words


def _of_ended_calls(used: Used) -> str:
    unpriced = used.unpriced_calls
    ended = used.calls - used.calls_under_way
    if not unpriced:
        return usd_words(used.priced_usd)
    if unpriced == ended:
        return _("cost {unknown}", unknown=_(UNKNOWN))
    return _n(
        unpriced,
        "cost {unknown} for {n} call, the others {priced_usd}",
        "cost {unknown} for {n} calls, the others {priced_usd}",
        unknown=_(UNKNOWN),
        priced_usd=usd_words(used.priced_usd),
    )


def tokens_words(used: Used) -> str:
    """Tokens in and out with the shares of caches and thinking; `at least` if some calls have unknown tokens."""
    known = used.tokens()
    if known is None:
        return _("tokens {unknown}", unknown=_(UNKNOWN))
    thinking = ""
    if known.reasoning_tokens:
        thinking = _(" ({reasoning_tokens:,} of them thinking)", reasoning_tokens=known.reasoning_tokens)
    return _(
        "{least}{input_tokens:,} tokens in{cached}, {output_tokens:,} out{thinking}",
        least=_("at least ") if used.unknown_calls else "",
        input_tokens=known.input_tokens,
        cached=_cached_words(known, used.written_tokens() or 0),
        output_tokens=known.output_tokens,
        thinking=thinking,
    )


def _cached_words(known: Usage, written_tokens: int) -> str:
    """` (80 % from a cache, 5 % written into a cache)`: shares of the tokens in; empty if no cache was used."""
    if not known.input_tokens:
        return ""
    of_caches = ((known.cached_tokens, _("from a cache")), (written_tokens, _("written into a cache")))
    parts = [f"{format_number(tokens / known.input_tokens, '.0%')} {what}" for tokens, what in of_caches if tokens]
    return f" ({', '.join(parts)})" if parts else ""


def used_words(used: Used) -> str:
    """Calls, tokens and cost on one line."""
    if not used.calls and not used.failed_attempts:
        return _("no call was made")
    parts = [_n(used.calls, "{n} call", "{n} calls")]
    if used.failed_attempts:
        parts.append(_n(used.failed_attempts, "{n} attempt failed", "{n} attempts failed"))
    if used.lost_calls:
        parts.append(_n(used.lost_calls, "{n} call with unknown use", "{n} calls with unknown use"))
    return ", ".join([*parts, tokens_words(used), cost_words(used)])


def limit_line(row: LimitRow) -> str:
    """`Limit of 10 calls: 80 % used`, with a warning near the limit."""
    if row.share is None:
        used = _("usage {unknown}", unknown=_(UNKNOWN))
    else:
        # Rounded down, because 100% means that the limit was reached.
        used = _("{share} % used", share=int(row.share * 100))
    near = _(" (near the limit)") if row.near else ""
    return _("Limit of {limit}: {used}", limit=limit_words(row.axis, row.limit), used=used) + near


def prompt_lines(templates: Sequence[Template]) -> tuple[str, ...]:
    """Prompts of the models with the first digits of their digests; those of this debate are on a line apart."""
    own = ", ".join(f"{template.name} {template.sha256[:12]}" for template in templates if template.text)
    shipped = ", ".join(f"{template.name} {template.sha256[:12]}" for template in templates if not template.text)
    lines = list[str]()
    if shipped:
        lines.append(_("Shipped prompts: {shipped}", shipped=shipped))
    if own:
        lines.append(_("Custom prompts of this debate: {own}", own=own))
    return tuple(lines)


def seats_of_models(spec: Spec, rows: Sequence[UsageRow]) -> tuple[Seat, ...]:
    """Seats with an agreed model, or with a call; a seat whose models rotate once for each of them."""
    called = {row.seat for row in rows}
    return each_by_model(spec, (seat for seat in spec.seats if seat.id in called or spec.line(seat)))


def cost_lines(account: Account) -> tuple[str, ...]:
    """Use of every seat of a model, then the lines of `sum_lines`; () if no model is agreed."""
    spec = account.state.spec
    rows = account.usage
    seats = list[str]()
    for seat in seats_of_models(spec, rows):
        agreed = spec.line(seat)
        line = agreed.id if agreed else None
        used = used_in(row for row in rows if (row.seat, row.line) == (seat.id, line))
        seats.append(f"{_seat_and_model(spec, seat, used)}: {used_words(used)}")
    return (*seats, *sum_lines(account))


def sum_lines(account: Account) -> tuple[str, ...]:
    """Use of each round and of the whole debate, limits and prompts; () if no model is agreed."""
    spec = account.state.spec
    rows = account.usage
    if not seats_of_models(spec, rows):
        return ()
    return (
        *_round_lines(rows),
        _("All calls: {used}", used=used_words(used_in(rows))),
        *_baseline_lines(account),
        *(map(limit_line, account.limits) if account.limits else (_("No limit was set"),)),
        *prompt_lines(spec.templates),
    )


def _baseline_lines(account: Account) -> Iterator[str]:
    """Use of the calls for baselines, which is in no other sum."""
    replies = [reply for held in account.state.baselines for reply in held.replies]
    if replies:
        used = sum(map(used_by_reply, replies), Used())
        yield _("For comparison, in addition: {used}", used=used_words(used))


def _round_lines(rows: Sequence[UsageRow]) -> Iterator[str]:
    """Use of each round; empty for a single round."""
    numbers = sorted({row.round for row in rows})
    if len(numbers) == 1:
        return
    for number in numbers:
        used = used_in(row for row in rows if row.round == number)
        yield _("Round {number}: {used}", number=number, used=used_words(used))


def _seat_and_model(spec: Spec, seat: Seat, used: Used) -> str:
    line = spec.line(seat)
    if line is None:
        return seat.id
    models = [model for model in used.models if model != line.model]
    answered = _(", answered by {models}", models=spoken_list(models)) if models else ""
    return _(
        "{id}, {model} ({provider}, family {family}{answered})",
        id=seat.id,
        model=line.model or line.id,
        provider=line.provider,
        family=family_of(spec, seat) or _(UNKNOWN),
        answered=answered,
    )

"""Usage and cost of the calls of a debate: the meter beside the count, and the section of the results.

Shows what `report` derived and counts nothing itself; unknown figures are called unknown.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from debate_core.language import _, _n, format_number, said
from debate_core.record.events import utc_text
from debate_core.record.state import State
from debate_core.report.facts.account import Account
from debate_core.report.facts.health import FLAGS
from debate_core.report.facts.terms import named
from debate_core.report.facts.usage import LimitRow, UsageRow, Used, limit_rows, usage_rows, used_in
from debate_core.report.figures import votes
from debate_core.report.phrases.costs import UNKNOWN, cost_words, limit_line, tokens_words, usd_words
from debate_core.spec.panels import diversity
from debate_core.spec.rotation import each_by_model
from debate_core.spec.values import in_words
from debate_core.text import capitalized, whole_sentence
from debate_core.ui.kit.chart import draw_chart
from debate_core.ui.kit.session import Me
from debate_core.ui.kit.tables import draw_table
from debate_core.ui.kit.text import safe_id, safe_line, safe_text
from debate_core.ui.kit.words import amount_words
from debate_core.ui.room import limit

OF_COST = ("DEBATE_TRUNCATED", "custom_prompts", "near_ceiling", "unknown_cost", "estimated_usage")
"""Flags of models and cost, except those of model families, which `diversity` describes."""


def has_models(state: State) -> bool:
    """True if a model has a seat, so that calls may be made."""
    return bool(state.spec.models)


def meter(state: State, me: Me) -> None:
    """Draw calls, tokens and cost so far, and how much of each limit is used; nothing without models."""
    if not has_models(state):
        return
    st.subheader(_("Calls and cost"), anchor=False)
    totals(used_in(usage_rows(state)))
    rows = limit_rows(state, at="" if state.outcome else utc_text(datetime.now(UTC)))
    limits(rows)
    limit.before_it_is_met(state, me, rows)


def totals(used: Used) -> None:
    """Draw three figures, and below them what they leave out."""
    tokens = used.tokens()
    token_words = _(UNKNOWN)
    if tokens is not None:
        token_words = amount_words(tokens.input_tokens + tokens.output_tokens)
    usd = _(UNKNOWN) if used.unpriced_calls else usd_words(used.priced_usd)
    words = [tokens_words(used), cost_words(used)]
    if used.calls and used.calls == used.calls_under_way:
        token_words = usd = _("not yet")
        words = [_n(used.calls_under_way, "{n} call under way", "{n} calls under way")]
    grid = st.grid(3, min_column_width=100)
    grid.metric(_("Calls"), format_number(used.calls, ","))
    grid.metric(_("Tokens"), token_words)
    grid.metric(_("Cost"), usd)
    if used.calls:
        st.caption("  \n".join(safe_line(f"{capitalized(text)}.") for text in words))


def limits(rows: Sequence[LimitRow]) -> None:
    """Draw one bar per limit, with a warning from the share at which people are warned."""
    for row in rows:
        words = safe_line(limit_line(row))
        share = 0.0 if row.share is None else min(float(row.share), 1.0)
        st.progress(share, text=f":orange[:material/warning: {words}]" if row.near else words)
    if any(row.near for row in rows):
        st.caption(_("No call may exceed a limit. At a limit the debate waits for the facilitator."))


def section(account: Account) -> None:
    """Draw the models and their seats, totals, limits, warnings, and the usage of each seat in each round."""
    _draw_models(account.state)
    rows = account.usage
    if not rows:
        st.caption(_("No call was made."))
        return
    totals(used_in(rows))
    limits(account.limits)
    for name in account.flags:
        if name in OF_COST:
            st.markdown(f":orange[:material/warning:] {safe_text(FLAGS[name])}")
    st.subheader(_("By seat and round"), anchor=False)
    draw_chart(account, votes.USAGE)
    with st.expander(_("By phase, with who answered"), key="spent-by-phase", type="compact"):
        draw_table([_usage_record(row) for row in rows], alt=_("What every seat used in every phase"))


def _draw_models(state: State) -> None:
    lines = []
    for seat in each_by_model(state.spec, state.spec.seats):
        if line := state.spec.line(seat):
            family = seat.family or line.family or _("family {unknown}", unknown=_(UNKNOWN))
            lines.append(f"- **{safe_id(seat.id)}**: {safe_line(line.model or line.id)} · {safe_line(family)}")
    st.markdown("\n".join(lines))
    for sentence in diversity(state.spec).warnings:
        st.markdown(f":orange[:material/warning:] {safe_text(whole_sentence(said(sentence)))}")


def _usage_record(row: UsageRow) -> dict[str, str | int]:
    def words(number: int | None) -> str:
        return _(UNKNOWN) if number is None else format_number(number, ",")

    used = row.used
    tokens = used.tokens()
    sent, cached, received = None, None, None
    if tokens is not None:
        sent, cached, received = tokens.input_tokens, tokens.cached_tokens, tokens.output_tokens
    return {
        _("Round"): row.round,
        _("Phase"): named(row.phase),
        _("Seat"): in_words(row.seat),
        _("Answered by"): ", ".join(used.models) or _("no one"),
        _("Calls"): used.calls,
        _("Failed attempts"): used.failed_attempts,
        _("Tokens in"): words(sent),
        _("Cached"): words(cached),
        _("Written"): words(used.written_tokens()),
        _("Tokens out"): words(received),
        _("Cost"): _(UNKNOWN) if used.cost_usd is None else usd_words(used.cost_usd),
    }

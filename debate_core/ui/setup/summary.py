"""What stands beside the fields of the set-up page: what will be agreed, what it will use, whether it can be started.

Counts nothing itself: `forecast` plays the debate on paper.
"""

import streamlit as st

from debate_core.engine.ceiling import AXES
from debate_core.report.words.agreement import contract
from debate_core.report.words.costs import UNKNOWN, usd_words
from debate_core.report.words.outcome import limit_words
from debate_core.report.words.rules import (
    chance_sentence,
    contradicting_sentence,
    quotes_sentence,
    rule_sentence,
    strength_sentence,
)
from debate_core.seats.forecast import ASSUMPTIONS, CostForecast, ForecastTurn, forecast
from debate_core.spec.protocol import Spec, deciding_counts
from debate_core.spec.rules import Threshold
from debate_core.text import plural
from debate_core.ui.kit.badges import single_family_badge
from debate_core.ui.kit.protocol_words import phases_line
from debate_core.ui.kit.text import safe_line, safe_text
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.mapping import spec_from
from debate_core.ui.setup.readiness import doubts, problem, single_family


def agreement(draft: SetupDraft) -> None:
    """The rules in words, the contract with people, and the limits, as they will be fixed with the first turn."""
    _rules(draft)
    if problem(draft) is None:
        spec = spec_from(draft)
        if draft.room.on:
            contract_card(contract(spec, spec.people()))
        _limits(spec)


def _rules(draft: SetupDraft) -> None:
    rules, n, weight = draft.rules(), len(draft.panel()), draft.total_weight()
    if isinstance(rules.decide, Threshold):
        chosen = rules.decide.model_copy(update={"votes": draft.votes()})
        rules = rules.model_copy(update={"decide": chosen})
    st.markdown(f"**{safe_text(rule_sentence(rules, n, weight=weight))}**")
    counts = deciding_counts(rules, draft.max_rounds())
    if chance := chance_sentence(rules.decide, n, len(draft.named_options()), weight=weight, counts=counts):
        st.caption(safe_text(chance))
    st.markdown(phases_line(rules, draft.max_rounds()))
    st.caption(
        " ".join(filter(None, (quotes_sentence(rules), contradicting_sentence(rules), strength_sentence(rules))))
    )


def contract_card(points: tuple[tuple[str, str], ...]) -> None:
    """Label and sentence of each point that was agreed."""
    for label, sentence in points:
        st.markdown(f"**{label}:** {safe_text(sentence)}")


def _limits(spec: Spec) -> None:
    bound = spec.ceiling()
    if bound is None:
        return
    values = {axis: getattr(bound, axis) for axis in AXES}
    words = [limit_words(axis, str(value)) for axis, value in values.items() if value is not None]
    if words:
        st.caption(safe_line(f"Ends before it would pass: {', '.join(words)}."))


def expected_use(draft: SetupDraft) -> None:
    """What the debate will probably use; nothing where no model sits, or while something is missing."""
    if not draft.has_models() or problem(draft) is not None:
        return
    st.subheader("Forecast", anchor=False)
    expected = forecast(spec_from(draft))
    total = expected.total
    tokens = f"{total.input_tokens + total.output_tokens:,}"
    cost = "price unknown" if total.cost_usd is None else usd_words(total.cost_usd)
    st.markdown(f"About **{total.calls} calls**, {tokens} tokens, **{cost}**")
    st.caption("  \n".join(safe_line(text) for text in _in_proportion(expected)))
    with st.expander("By stage and seat"):
        rows = [_record(row) for row in expected.rows if row.calls]
        st.dataframe(rows, hide_index=True, alt="Forecast of every turn")
        st.caption(safe_line(f"Assumed: {ASSUMPTIONS}."))


def _in_proportion(expected: CostForecast) -> list[str]:
    sentences = []
    if expected.multiple is not None:
        sentences.append(f"{float(expected.multiple):.1f} times the cost of one single call.")
    elif expected.multiple_tokens is not None:
        sentences.append(f"{float(expected.multiple_tokens):.1f} times the tokens of one single call.")
    return [*sentences, *least_and_most_calls(expected)]


def least_and_most_calls(expected: CostForecast) -> list[str]:
    """How few calls it may be, if that can be said, and how many it can be."""
    most = f"At most {expected.with_retries.calls} calls if every attempt has to be repeated."
    if expected.may_repeat:
        most += " It can be more: the moderator may let somebody speak more than once in a round."
    if expected.earliest is None:
        return [most]
    return [f"{plural(expected.earliest.calls, 'call')} if it is decided as early as it can be.", most]


def _record(row: ForecastTurn) -> dict[str, str | int]:
    return {
        "Round": row.round,
        "Phase": row.phase,
        "Seat": row.seat,
        "Model": row.model,
        "Tokens in": f"{row.input_tokens:,}",
        "Tokens out": f"{row.output_tokens:,}",
        "Cost": UNKNOWN if row.cost_usd is None else usd_words(row.cost_usd),
    }


def readiness(draft: SetupDraft, cannot_sit: str | None) -> bool:
    """What stands in the way (red) and what should be thought over (amber); True if it can be started.

    `cannot_sit` says why a seat would stay empty, None if none would.
    """
    stop = problem(draft) or cannot_sit
    open_doubts = doubts(draft)
    if single_family(draft):
        single_family_badge()
    if stop:
        st.markdown(f":red[:material/block: **Not ready:**] {safe_text(stop[0].upper() + stop[1:])}.")
    for doubt in open_doubts:
        st.markdown(f":orange[:material/warning: **Think about:**] {safe_text(doubt)}")
    if stop is None and not open_doubts:
        st.markdown(":green[:material/check_circle: **Ready to start.**]")
    return stop is None

"""Limits and forecast on the set-up page: what the debate may use, and what it will probably use.

Counts nothing itself: `forecast` plays the debate on paper.
"""

from fractions import Fraction

import streamlit as st

from debate_core.engine.ceiling import AXES
from debate_core.report.words.costs import UNKNOWN, usd_words
from debate_core.report.words.outcome import limit_words
from debate_core.seats.forecast import ASSUMPTIONS, Forecast, ForecastTurn, forecast
from debate_core.text import plural
from debate_core.ui.kit.text import safe_line
from debate_core.ui.setup.draft import Draft, LimitsDraft, problem, spec_from


def limits(draft: Draft) -> Draft:
    """Four fields; an empty one is no limit."""
    with st.expander("Limits", icon=":material/speed:"):
        st.caption("An empty field is no limit. Before a call could pass one, the debate ends; what was said is kept.")
        grid = st.grid(4, min_column_width=130)
        typed = {
            name: grid.text_input(words, getattr(draft.limits, name), key=f"setup_limit_{name}", placeholder="none")
            for name, words in (("usd", "USD"), ("calls", "Calls"), ("tokens", "Tokens"), ("minutes", "Minutes"))
        }
    return draft.model_copy(update={"limits": LimitsDraft(**{name: text or "" for name, text in typed.items()})})


def agreed(draft: Draft) -> None:
    """The limits in words, if there are any and they can be read."""
    if problem(draft) is None and (bound := spec_from(draft).ceiling()):
        set_limits = [(axis, value) for axis in AXES if (value := getattr(bound, axis)) is not None]
        words = ", ".join(limit_words(axis, str(value)) for axis, value in set_limits)
        st.caption(safe_line(f"Ends before it would pass: {words}."))


def expected(draft: Draft) -> None:
    """What the debate will probably use; nothing where no model sits, or while something is missing."""
    if not draft.has_models() or problem(draft) is not None:
        return
    st.subheader("Forecast", anchor=False)
    found = forecast(spec_from(draft))
    st.markdown(f"About **{found.total.calls} calls**, {_tokens(found)} tokens, **{_cost(found.total.cost_usd)}**")
    st.caption("  \n".join(safe_line(text) for text in _in_proportion(found)))
    with st.expander("By stage and seat"):
        st.dataframe([_record(row) for row in found.rows if row.calls], hide_index=True, alt="Forecast of every turn")
        st.caption(safe_line(f"Assumed: {ASSUMPTIONS}."))


def _tokens(found: Forecast) -> str:
    return f"{found.total.input_tokens + found.total.output_tokens:,}"


def _cost(cost_usd: str | None) -> str:
    return "price unknown" if cost_usd is None else usd_words(cost_usd)


def _in_proportion(found: Forecast) -> list[str]:
    told = []
    if found.multiple is not None:
        told.append(f"{_times(found.multiple)} the cost of one single call.")
    elif found.multiple_tokens is not None:
        told.append(f"{_times(found.multiple_tokens)} the tokens of one single call.")
    if found.earliest is not None:
        told.append(f"{plural(found.earliest.calls, 'call')} if it is decided as early as it can be.")
    told.append(f"At most {found.with_retries.calls} calls if every attempt has to be repeated.")
    return told


def _times(multiple: Fraction) -> str:
    return f"{float(multiple):.1f} times"


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
